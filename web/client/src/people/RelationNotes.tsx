import { graphql, useFragment } from 'react-relay';

import type { RelationNotes_user$key } from '../__generated__/RelationNotes_user.graphql';
import { useRelations } from './useRelations';
import { texts } from '../texts';

/** Notes about active mutes, hides and blocks, with a button to end each. */
export function RelationNotes({ user: key }: { user: RelationNotes_user$key }) {
  const user = useFragment(
    graphql`
      fragment RelationNotes_user on User {
        ...useRelations_user
      }
    `,
    key,
  );
  const active = useRelations(user).filter((item) => item.on && item.relation !== 'follow');
  return active.map((item) => (
    <p key={item.relation} className="note">
      {texts.relations[item.relation].note}{' '}
      <button type="button" className="text-button" onClick={item.run}>{item.label}</button>
    </p>
  ));
}
