import { graphql, useFragment } from 'react-relay';

import type { FollowButton_user$key } from '../__generated__/FollowButton_user.graphql';
import { useDesk } from '../app/context';
import { useRelations } from './useRelations';
import { texts } from '../texts';

/** Follows or unfollows a user. */
export function FollowButton({ user: key, small = false }: { user: FollowButton_user$key; small?: boolean }) {
  const user = useFragment(
    graphql`
      fragment FollowButton_user on User {
        handle
        viewerFollows
        ...useRelations_user
      }
    `,
    key,
  );
  const { signedIn } = useDesk();
  const follow = useRelations(user).find((item) => item.relation === 'follow');
  return (
    <button
      type="button"
      className={`button${small ? ' button-small' : ''}${user.viewerFollows ? ' button-on' : ' button-primary'}`}
      aria-label={user.viewerFollows ? texts.people.unfollowLabel(user.handle) : texts.people.followLabel(user.handle)}
      onClick={() => signedIn(() => follow?.run())}
    >
      {user.viewerFollows ? texts.people.following : texts.people.follow}
    </button>
  );
}
