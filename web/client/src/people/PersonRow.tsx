import type { ReactNode } from 'react';
import { graphql, useFragment } from 'react-relay';

import type { PersonRow_user$key } from '../__generated__/PersonRow_user.graphql';
import { Link } from '../app/Link';
import { profileHref } from '../app/routes';
import { Avatar } from '../parts/Avatar';
import { counted } from '../parts/time';
import { useSession } from '../session/session';
import { FollowButton } from './FollowButton';

/**
 * A user in a list, with an action at the end: the follow button, unless another is given.
 * A user who blocks the visitor has no profile to show or link to.
 */
export function PersonRow({ user: key, children }: { user: PersonRow_user$key; children?: ReactNode }) {
  const user = useFragment(
    graphql`
      fragment PersonRow_user on User {
        databaseId
        unavailable
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
          <span className="person-words"><strong>Unavailable account</strong></span>
        </span>
      ) : (
        <Link href={profileHref(user.handle)} className="person-who">
          <Avatar user={user} />
          <span className="person-words">
            <strong><bdi>{user.name}</bdi></strong>
            <span>@{user.handle}<span className="person-count"> · {counted(user.counters.followers, 'follower')}</span></span>
          </span>
        </Link>
      )}
      {children ?? (!own && <FollowButton user={user} small />)}
    </li>
  );
}
