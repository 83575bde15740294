import type { ReactNode } from 'react';
import { graphql, useFragment } from 'react-relay';

import type { PersonRow_user$key } from '../__generated__/PersonRow_user.graphql';
import { Link } from '../app/Link';
import { profileHref } from '../app/routes';
import { Avatar } from '../parts/Avatar';
import { Lock } from '../parts/Icon';
import { useSession } from '../session/session';
import { FollowButton } from './FollowButton';
import { pageTexts } from '../texts/pages';

/**
 * A user in a list, with an action at the end, by default the follow button. A user who blocks
 * the viewer has no profile.
 */
export function PersonRow({ user: key, children }: { user: PersonRow_user$key; children?: ReactNode }) {
  const user = useFragment(
    graphql`
      fragment PersonRow_user on User {
        databaseId
        unavailable
        isPrivate
        handle
        name
        counters { followers }
        ...FollowButton_user
      }
    `,
    key,
  );
  const { session } = useSession();
  const own = session.user?.id === user.databaseId;
  return (
    <li className="person">
      {user.unavailable ? (
        <span className="person-who">
          <span className="person-words"><strong>{pageTexts.people.unavailable}</strong></span>
        </span>
      ) : (
        <Link href={profileHref(user.handle)} className="person-who">
          <Avatar user={user} />
          <span className="person-words">
            <strong><bdi>{user.name}</bdi>{user.isPrivate && <> <Lock label={pageTexts.people.private} /></>}</strong>
            <span>@{user.handle}<span className="person-count"> · {pageTexts.people.followers(user.counters.followers)}</span></span>
          </span>
        </Link>
      )}
      {children ?? (!own && <FollowButton user={user} small />)}
    </li>
  );
}
