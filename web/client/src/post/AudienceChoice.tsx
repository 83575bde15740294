import { graphql, useLazyLoadQuery } from 'react-relay';

import type { AudienceChoiceQuery } from '../__generated__/AudienceChoiceQuery.graphql';
import type { Audience } from './publish';
import { texts } from '../texts';

const AUDIENCES: readonly Audience[] = ['PUBLIC', 'FOLLOWERS'];

/** Chooses who a post is for. Of a private account, only followers see any. */
export function AudienceChoice({ value, onChange }: { value: Audience; onChange(audience: Audience): void }) {
  // DeskProvider has loaded it.
  const { viewer } = useLazyLoadQuery<AudienceChoiceQuery>(
    graphql`
      query AudienceChoiceQuery {
        viewer { user { isPrivate } }
      }
    `,
    {},
    { fetchPolicy: 'store-only' },
  );
  const name = (audience: Audience) => (viewer?.user?.isPrivate && audience === 'PUBLIC' ? 'private' : audience);
  return (
    <select className="audience" aria-label={texts.audience.label} value={value} onChange={(event) => onChange(event.target.value as Audience)}>
      {AUDIENCES.map((audience) => <option key={audience} value={audience}>{texts.audience[name(audience)]}</option>)}
    </select>
  );
}
