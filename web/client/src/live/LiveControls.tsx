import { graphql } from 'react-relay';

import type { LiveControlsCancelMutation } from '../__generated__/LiveControlsCancelMutation.graphql';
import type { LiveControlsEndMutation } from '../__generated__/LiveControlsEndMutation.graphql';
import type { LiveControlsStartMutation } from '../__generated__/LiveControlsStartMutation.graphql';
import { useCommit } from '../relay/commit';
import type { State } from './LiveList';

/** What the host may do with a session: begin it, call it off, end it. */
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
  }, 'Not begun');
  const end = () => void commit<LiveControlsEndMutation>({
    mutation: graphql`
      mutation LiveControlsEndMutation($input: EndLiveInput!) {
        endLive(input: $input) { liveSession { ...LiveCard_session } userErrors { code message } }
      }
    `,
    variables,
  }, 'Not ended');
  const cancel = () => void commit<LiveControlsCancelMutation>({
    mutation: graphql`
      mutation LiveControlsCancelMutation($input: LiveIdInput!) {
        cancelLive(input: $input) { userErrors { code message } }
      }
    `,
    variables,
    updater: (store) => store.delete(id),
  }, 'Not called off');
  return (
    <div className="live-controls" role="group" aria-label={`Your session ${title}`}>
      {state === 'UPCOMING' && <button type="button" className="button button-small button-primary" onClick={start}>Go live</button>}
      {state === 'UPCOMING' && <button type="button" className="button button-small" onClick={cancel}>Call off</button>}
      {state === 'LIVE' && <button type="button" className="button button-small button-danger" onClick={end}>End</button>}
    </div>
  );
}
