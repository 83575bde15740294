import type { ReactNode } from 'react';
import { graphql, useFragment } from 'react-relay';

import type { PersonRow_user$key } from '../__generated__/PersonRow_user.graphql';
import { Link } from '../app/Link';
import { profileHref } from '../app/routes';
import { Avatar } from '../parts/Avatar';
import { counted } from '../parts/time';
import { useSession } from '../session/session';
import { FollowButton } from './FollowButton';

/** Somebody in a list, with what is to be done with him: to follow, unless something else is given. */
export function PersonRow({ user: key, children }: { user: PersonRow_user$key; children?: ReactNode }) {
  const user = useFragment(
    graphql`
      fragment PersonRow_user on User {
        databaseId
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
      <Link href={profileHref(user.handle)} className="person-who">
        <Avatar user={user} />
        <span className="person-words">
          <strong><bdi>{user.name}</bdi></strong>
          <span>@{user.handle}<span className="person-count"> · {counted(user.counters.followers, 'follower')}</span></span>
        </span>
      </Link>
      {children ?? (!own && <FollowButton user={user} small />)}
    </li>
  );
}
