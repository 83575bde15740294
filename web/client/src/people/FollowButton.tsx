import { graphql, useFragment } from 'react-relay';

import type { FollowButton_user$key } from '../__generated__/FollowButton_user.graphql';
import { useDesk } from '../app/context';
import { useRelations } from './useRelations';
import { pageTexts } from '../texts/pages';

/** Follows or unfollows a user; asks to follow a private account, or withdraws the request. */
export function FollowButton({ user: key, small = false }: { user: FollowButton_user$key; small?: boolean }) {
  const user = useFragment(
    graphql`
      fragment FollowButton_user on User {
        handle
        viewerFollows
        viewerFollowRequested
        ...useRelations_user
      }
    `,
    key,
  );
  const { signedIn } = useDesk();
  const follow = useRelations(user).find((item) => item.relation === 'follow');
  const state = user.viewerFollows ? 'following' : user.viewerFollowRequested ? 'requested' : 'follow';
  const words = pageTexts.people[state];
  return (
    <button
      type="button"
      className={`button${small ? ' button-small' : ''}${state === 'follow' ? ' button-primary' : ' button-on'}`}
      aria-label={words.label(user.handle)}
      onClick={() => signedIn(() => follow?.run())}
    >
      {words.button}
    </button>
  );
}
