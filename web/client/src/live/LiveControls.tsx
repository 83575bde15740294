import { graphql } from 'react-relay';

import type { LiveControlsCancelMutation } from '../__generated__/LiveControlsCancelMutation.graphql';
import type { LiveControlsEndMutation } from '../__generated__/LiveControlsEndMutation.graphql';
import type { LiveControlsStartMutation } from '../__generated__/LiveControlsStartMutation.graphql';
import { useCommit } from '../relay/commit';
import type { State } from './LiveList';
import { pageTexts } from '../texts/pages';

/** The host's controls of a session: start, cancel, end. */
export function LiveControls({ id, title, state }: { id: string; title: string; state: State }) {
  const commit = useCommit();
  const variables = { input: { liveSessionId: id } };
  const start = () => void commit<LiveControlsStartMutation>({
    mutation: graphql`
      mutation LiveControlsStartMutation($input: LiveIdInput!) {
        startLive(input: $input) { liveSession { ...LiveCard_session } userErrors { code message } }
      }
    `,
    variables,
  }, pageTexts.live.startFailed);
  const end = () => void commit<LiveControlsEndMutation>({
    mutation: graphql`
      mutation LiveControlsEndMutation($input: EndLiveInput!) {
        endLive(input: $input) { liveSession { ...LiveCard_session } userErrors { code message } }
      }
    `,
    variables,
  }, pageTexts.live.endFailed);
  const cancel = () => void commit<LiveControlsCancelMutation>({
    mutation: graphql`
      mutation LiveControlsCancelMutation($input: LiveIdInput!) {
        cancelLive(input: $input) { userErrors { code message } }
      }
    `,
    variables,
    updater: (store) => store.delete(id),
  }, pageTexts.live.cancelFailed);
  return (
    <div className="live-controls" role="group" aria-label={pageTexts.live.controls(title)}>
      {state === 'UPCOMING' && <button type="button" className="button button-small button-primary" onClick={start}>{pageTexts.live.start}</button>}
      {state === 'UPCOMING' && <button type="button" className="button button-small" onClick={cancel}>{pageTexts.live.cancel}</button>}
      {state === 'LIVE' && <button type="button" className="button button-small button-danger" onClick={end}>{pageTexts.live.end}</button>}
    </div>
  );
}
