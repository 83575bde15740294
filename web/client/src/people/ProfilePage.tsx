import { graphql, useFragment } from 'react-relay';

import type { ProfilePage_head$key } from '../__generated__/ProfilePage_head.graphql';
import type { ProfilePageQuery } from '../__generated__/ProfilePageQuery.graphql';
import { Link } from '../app/Link';
import { PageHead } from '../app/PageHead';
import { PROFILE_TABS, profileHref, type ProfileTab } from '../app/routes';
import { PAGE } from '../feed/PostFeed';
import { Avatar, Banner } from '../parts/Avatar';
import { Empty } from '../parts/Trouble';
import { short } from '../parts/time';
import { useReadAgain } from '../relay/useReadAgain';
import { useSession } from '../session/session';
import { FollowButton } from './FollowButton';
import { ProfileLive } from './ProfileLive';
import { ProfilePosts } from './ProfilePosts';
import { ProfileFollowers, ProfileFollowing } from './ProfilePeople';
import { RelationMenu } from './RelationMenu';
import { RelationNotes } from './RelationNotes';

const TAB_NAMES: Record<ProfileTab, string> = { posts: 'Posts', following: 'Following', followers: 'Followers', live: 'Live' };

const profileQuery = graphql`
  query ProfilePageQuery($handle: String!, $first: Int!, $posts: Boolean!, $following: Boolean!, $followers: Boolean!, $live: Boolean!) {
    user(handle: $handle) {
      id
      name
      viewerBlocks
      ...ProfilePage_head
      ...ProfilePosts_user @arguments(first: $first) @alias(as: "posts") @include(if: $posts)
      ...ProfilePeople_following @arguments(first: $first) @alias(as: "following") @include(if: $following)
      ...ProfilePeople_followers @arguments(first: $first) @alias(as: "followers") @include(if: $followers)
      ...ProfileLive_user @arguments(first: $first) @alias(as: "live") @include(if: $live)
    }
  }
`;

/** Somebody's page: who he is, and one of the lists that belong to him. */
export default function ProfilePage({ handle, tab, attempt }: { handle: string; tab: ProfileTab; attempt: number }) {
  const variables = { handle, first: PAGE, posts: tab === 'posts', following: tab === 'following', followers: tab === 'followers', live: tab === 'live' };
  const { user } = useReadAgain<ProfilePageQuery>(
    profileQuery, variables, (data) => data.user?.id, { fetchKey: attempt, fetchPolicy: 'store-and-network' },
  );
  if (!user) {
    return (
      <>
        <PageHead title={`@${handle}`} back />
        <Empty icon="person" title="There is nobody here"><p>Nobody goes by @{handle}, or the account is not shown to you.</p></Empty>
      </>
    );
  }
  return (
    <>
      <PageHead title={user.name} back />
      <Head user={user} />
      <nav className="tabs" aria-label="Profile">
        {PROFILE_TABS.map((name) => (
          <Link key={name} href={profileHref(handle, name)} aria-current={name === tab ? 'page' : undefined}>{TAB_NAMES[name]}</Link>
        ))}
      </nav>
      {user.viewerBlocks && (user.posts || user.live) && (
        <Empty icon="person" title={`You block @${handle}`}><p>While you do, nothing of <bdi>{user.name}</bdi> is shown to you.</p></Empty>
      )}
      {user.posts && !user.viewerBlocks && <ProfilePosts user={user.posts} />}
      {user.following && <ProfileFollowing user={user.following} />}
      {user.followers && <ProfileFollowers user={user.followers} />}
      {user.live && !user.viewerBlocks && <ProfileLive user={user.live} />}
    </>
  );
}

function Head({ user: key }: { user: ProfilePage_head$key }) {
  const user = useFragment(
    graphql`
      fragment ProfilePage_head on User {
        databaseId
        handle
        name
        createdAt
        counters { followers following posts }
        ...FollowButton_user
        ...RelationMenu_user
        ...RelationNotes_user
      }
    `,
    key,
  );
  const { session } = useSession();
  const { counters } = user;
  const since = new Date(user.createdAt).toLocaleDateString(undefined, { month: 'long', year: 'numeric' });
  return (
    <section className="profile" aria-label={`About ${user.name}`}>
      <Banner id={user.databaseId} />
      <div className="profile-row">
        <Avatar user={user} size="large" />
        {session.user?.id === user.databaseId ? (
          <Link className="button" href="/settings">Settings</Link>
        ) : (
          <div className="profile-actions">
            <RelationMenu user={user} />
            <FollowButton user={user} />
          </div>
        )}
      </div>
      <p className="profile-name"><bdi>{user.name}</bdi></p>
      <p className="profile-handle">@{user.handle} · here since {since}</p>
      <p className="profile-counts">
        <span><strong>{short(counters.posts)}</strong> {counters.posts === 1 ? 'post' : 'posts'}</span>{' '}
        <Link href={profileHref(user.handle, 'following')}><strong>{short(counters.following)}</strong> following</Link>{' '}
        <Link href={profileHref(user.handle, 'followers')}><strong>{short(counters.followers)}</strong> {counters.followers === 1 ? 'follower' : 'followers'}</Link>
      </p>
      <RelationNotes user={user} />
    </section>
  );
}
