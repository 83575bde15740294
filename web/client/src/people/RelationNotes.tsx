import { graphql, useFragment } from 'react-relay';

import type { RelationNotes_user$key } from '../__generated__/RelationNotes_user.graphql';
import { useRelations } from './useRelations';

const NOTES = {
  follow: '',
  mute: 'Muted: these posts stay out of your home feed.',
  hide: 'You hide from this account: it sees none of your posts.',
  block: 'Blocked: neither of you sees the other’s posts.',
};

/** Reminds of what stands between the visitor and somebody, and takes it back. */
export function RelationNotes({ user: key }: { user: RelationNotes_user$key }) {
  const user = useFragment(
    graphql`
      fragment RelationNotes_user on User {
        ...useRelations_user
      }
    `,
    key,
  );
  const standing = useRelations(user).filter((item) => item.on && item.relation !== 'follow');
  return standing.map((item) => (
    <p key={item.relation} className="note">
      {NOTES[item.relation]}{' '}
      <button type="button" className="text-button" onClick={item.run}>{item.label}</button>
    </p>
  ));
}
