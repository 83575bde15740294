import { graphql, usePaginationFragment } from 'react-relay';

import type { ProfilePeople_followers$key } from '../__generated__/ProfilePeople_followers.graphql';
import type { ProfilePeople_following$key } from '../__generated__/ProfilePeople_following.graphql';
import type { ProfilePeopleFollowersPageQuery } from '../__generated__/ProfilePeopleFollowersPageQuery.graphql';
import type { ProfilePeopleFollowingPageQuery } from '../__generated__/ProfilePeopleFollowingPageQuery.graphql';
import { useSession } from '../session/session';
import { FollowerActions } from './FollowerActions';
import { PeopleList } from './PeopleList';
import { pageTexts } from '../texts/pages';

/** The users that a user follows. */
export function ProfileFollowing({ user }: { user: ProfilePeople_following$key }) {
  const { data, ...pages } = usePaginationFragment<ProfilePeopleFollowingPageQuery, ProfilePeople_following$key>(
    graphql`
      fragment ProfilePeople_following on User
      @refetchable(queryName: "ProfilePeopleFollowingPageQuery")
      @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }) {
        name
        following(first: $first, after: $after) @connection(key: "ProfilePeople_following") {
          edges { node { id ...PersonRow_user } }
        }
      }
    `,
    user,
  );
  return <PeopleList label={pageTexts.profile.followedBy(data.name)} people={data.following.edges} pages={pages} empty={pageTexts.profile.followedByNone(data.name)} />;
}

/** The followers of a user. Owners can remove theirs. */
export function ProfileFollowers({ user }: { user: ProfilePeople_followers$key }) {
  const { data, ...pages } = usePaginationFragment<ProfilePeopleFollowersPageQuery, ProfilePeople_followers$key>(
    graphql`
      fragment ProfilePeople_followers on User
      @refetchable(queryName: "ProfilePeopleFollowersPageQuery")
      @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }) {
        databaseId
        name
        followers(first: $first, after: $after) @connection(key: "ProfilePeople_followers") {
          edges { node { id ...PersonRow_user ...FollowerActions_user } }
        }
      }
    `,
    user,
  );
  const { session } = useSession();
  const own = session.user?.id === data.databaseId;
  return (
    <PeopleList
      label={pageTexts.profile.followersOf(data.name)}
      people={data.followers.edges}
      pages={pages}
      empty={pageTexts.profile.followersNone(data.name)}
      actions={own ? (user) => <FollowerActions user={user} /> : undefined}
    />
  );
}
