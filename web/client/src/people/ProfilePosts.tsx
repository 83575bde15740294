import { graphql, usePaginationFragment } from 'react-relay';

import type { ProfilePosts_user$key } from '../__generated__/ProfilePosts_user.graphql';
import type { ProfilePostsPageQuery } from '../__generated__/ProfilePostsPageQuery.graphql';
import { PostFeed } from '../feed/PostFeed';
import { Empty } from '../parts/Trouble';
import { pageTexts } from '../texts/pages';

/** The posts of a user. */
export function ProfilePosts({ user }: { user: ProfilePosts_user$key }) {
  const { data, hasNext, loadNext, isLoadingNext } = usePaginationFragment<ProfilePostsPageQuery, ProfilePosts_user$key>(
    graphql`
      fragment ProfilePosts_user on User
      @refetchable(queryName: "ProfilePostsPageQuery")
      @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }) {
        name
        posts(first: $first, after: $after) @connection(key: "ProfilePosts_posts") {
          edges { cursor node { id ...PostCard_post } }
        }
      }
    `,
    user,
  );
  return (
    <PostFeed
      label={pageTexts.profile.postsBy(data.name)}
      edges={data.posts.edges.filter((edge) => edge.node != null)}
      hasNext={hasNext}
      loadNext={loadNext}
      loadingNext={isLoadingNext}
      empty={<Empty icon="compose" title={pageTexts.profile.noPosts}><p>{pageTexts.profile.noPostsHint(data.name)}</p></Empty>}
      end={pageTexts.profile.noMorePosts}
    />
  );
}
