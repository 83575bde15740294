import { Suspense, useState } from 'react';
import { graphql, useFragment } from 'react-relay';

import type { ProfilePage_head$key } from '../__generated__/ProfilePage_head.graphql';
import type { ProfilePageQuery } from '../__generated__/ProfilePageQuery.graphql';
import { useDesk } from '../app/context';
import { Link } from '../app/Link';
import { PageHead } from '../app/PageHead';
import { forgetFailures, ListPicker, UserSanction } from '../app/pages';
import { PROFILE_TABS, profileHref, type ProfileTab } from '../app/routes';
import { PAGE } from '../feed/placement';
import { Avatar, Banner } from '../parts/Avatar';
import { Dialog } from '../parts/Dialog';
import { Icon, Lock } from '../parts/Icon';
import type { MenuItem } from '../parts/Menu';
import { Optional } from '../parts/Optional';
import { Boundary, Empty, Loading } from '../parts/Trouble';
import { useReadAgain } from '../relay/useReadAgain';
import { useSession } from '../session/session';
import { FollowButton } from './FollowButton';
import { ProfileLive } from './ProfileLive';
import { ProfilePosts } from './ProfilePosts';
import { ProfileFollowers, ProfileFollowing } from './ProfilePeople';
import { RelationMenu } from './RelationMenu';
import { RelationNotes } from './RelationNotes';
import { useFollowOptions } from './useFollowOptions';
import { texts } from '../texts';
import { pageTexts } from '../texts/pages';
import { short } from '../texts/format';

const profileQuery = graphql`
  query ProfilePageQuery($handle: String!, $first: Int!, $posts: Boolean!, $following: Boolean!, $followers: Boolean!, $live: Boolean!) {
    user(handle: $handle) {
      id
      name
      viewerBlocks
      viewerFollowRequested
      viewerCanSeePosts
      isPrivate
      ...ProfilePage_head
      ...ProfilePosts_user @arguments(first: $first) @alias(as: "posts") @include(if: $posts)
      ...ProfilePeople_following @arguments(first: $first) @alias(as: "following") @include(if: $following)
      ...ProfilePeople_followers @arguments(first: $first) @alias(as: "followers") @include(if: $followers)
      ...ProfileLive_user @arguments(first: $first) @alias(as: "live") @include(if: $live)
    }
  }
`;

/** The profile of a user, with one of their lists. */
export default function ProfilePage({ handle, tab, attempt }: { handle: string; tab: ProfileTab; attempt: number }) {
  const variables = { handle, first: PAGE, posts: tab === 'posts', following: tab === 'following', followers: tab === 'followers', live: tab === 'live' };
  const [{ user }] = useReadAgain<ProfilePageQuery>(
    profileQuery, variables, (data) => data.user?.id, { fetchKey: attempt, fetchPolicy: 'store-and-network' },
  );
  if (!user) {
    return (
      <>
        <PageHead title={`@${handle}`} back />
        <Empty icon="person" title={pageTexts.profile.notFound}><p>{pageTexts.profile.notFoundHint(handle)}</p></Empty>
      </>
    );
  }
  const hidden = user.isPrivate && !user.viewerCanSeePosts && !user.viewerBlocks;
  return (
    <>
      <PageHead title={user.name} back />
      <Head user={user} />
      <nav className="tabs" aria-label={pageTexts.profile.tabsLabel}>
        {PROFILE_TABS.map((name) => (
          <Link key={name} href={profileHref(handle, name)} aria-current={name === tab ? 'page' : undefined}>{pageTexts.profile.tabs[name]}</Link>
        ))}
      </nav>
      {user.viewerBlocks && (user.posts || user.live) && (
        <Empty icon="person" title={pageTexts.profile.blocked(handle)}><p>{pageTexts.profile.blockedHint}</p></Empty>
      )}
      {hidden ? <PrivateNotice requested={user.viewerFollowRequested} /> : (
        <>
          {user.posts && !user.viewerBlocks && <ProfilePosts user={user.posts} />}
          {user.following && <ProfileFollowing user={user.following} />}
          {user.followers && <ProfileFollowers user={user.followers} />}
          {user.live && !user.viewerBlocks && <ProfileLive user={user.live} />}
        </>
      )}
    </>
  );
}

/** Says why the lists of a private account are empty. */
function PrivateNotice({ requested }: { requested: boolean }) {
  const { private: title, privateHint, requestedHint } = pageTexts.profile;
  return <Empty icon="lock" title={title}><p>{requested ? requestedHint : privateHint}</p></Empty>;
}

function Head({ user: key }: { user: ProfilePage_head$key }) {
  const user = useFragment(
    graphql`
      fragment ProfilePage_head on User {
        id
        databaseId
        handle
        name
        isPrivate
        createdAt
        counters { followers following posts }
        ...FollowButton_user
        ...RelationMenu_user
        ...RelationNotes_user
        ...UserSanction_user
        ...useFollowOptions_user
      }
    `,
    key,
  );
  const { session } = useSession();
  const { account, signedIn } = useDesk();
  const [more, setMore] = useState<readonly MenuItem[]>([]);
  const [listing, setListing] = useState(false);
  const [special, ...hides] = useFollowOptions(user);
  const { counters } = user;
  return (
    <>
      <section className="profile" aria-label={pageTexts.profile.about(user.name)}>
        <Banner id={user.databaseId} />
        <div className="profile-row">
          <Avatar user={user} size="large" />
          {session.user?.id === user.databaseId ? (
            <Link className="button" href="/settings">{pageTexts.profile.settings}</Link>
          ) : (
            <div className="profile-actions">
              {special && (
                <button type="button" className="icon-button icon-button-ring" aria-label={special.label} title={special.hint} aria-pressed={special.checked} onClick={special.run}>
                  <Icon name="favorite" filled={special.checked} />
                </button>
              )}
              <RelationMenu user={user} options={[...hides, { label: pageTexts.lists.addTo, run: () => signedIn(() => setListing(true)) }]} more={more} />
              <FollowButton user={user} />
            </div>
          )}
        </div>
        <p className="profile-name"><bdi>{user.name}</bdi>{user.isPrivate && <> <Lock label={pageTexts.people.private} /></>}</p>
        <p className="profile-handle">@{user.handle} · {pageTexts.profile.joined(user.createdAt)}</p>
        <p className="profile-counts">
          <span><strong>{short(counters.posts)}</strong> {pageTexts.profile.posts(counters.posts)}</span>{' '}
          <Link href={profileHref(user.handle, 'following')}><strong>{short(counters.following)}</strong> {pageTexts.profile.following}</Link>{' '}
          <Link href={profileHref(user.handle, 'followers')}><strong>{short(counters.followers)}</strong> {pageTexts.profile.followers(counters.followers)}</Link>
        </p>
        <RelationNotes user={user} />
        {account?.moderates && <Optional><Suspense><UserSanction user={user} onItems={setMore} /></Suspense></Optional>}
      </section>
      {listing && (
        <Dialog title={pageTexts.lists.addToTitle(user.handle)} onClose={() => setListing(false)}>
          <Boundary onRetry={forgetFailures}>
            {(attempt) => (
              <Suspense fallback={<Loading label={texts.app.loadingPage} rows={1} />}>
                <ListPicker userId={user.id} attempt={attempt} />
              </Suspense>
            )}
          </Boundary>
        </Dialog>
      )}
    </>
  );
}
