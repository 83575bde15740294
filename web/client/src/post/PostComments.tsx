import { graphql, usePaginationFragment } from 'react-relay';

import type { PostComments_post$key } from '../__generated__/PostComments_post.graphql';
import type { PostCommentsPageQuery } from '../__generated__/PostCommentsPageQuery.graphql';
import { PostFeed } from '../feed/PostFeed';
import { texts } from '../texts';

/** The direct replies to a post, newest first. */
export function PostComments({ post }: { post: PostComments_post$key }) {
  const { data, hasNext, loadNext, isLoadingNext } = usePaginationFragment<PostCommentsPageQuery, PostComments_post$key>(
    graphql`
      fragment PostComments_post on Post
      @refetchable(queryName: "PostCommentsPageQuery")
      @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }) {
        comments(first: $first, after: $after) @connection(key: "PostComments_comments") {
          edges { cursor node { id ...PostCard_post } }
        }
      }
    `,
    post,
  );
  return (
    <section aria-label={texts.post.replies}>
      <PostFeed
        label={texts.post.repliesTo}
        edges={data.comments.edges.filter((edge) => edge.node != null)}
        hasNext={hasNext}
        loadNext={loadNext}
        loadingNext={isLoadingNext}
        empty={<p className="list-end">{texts.post.noReplies}</p>}
        end={texts.post.noMoreReplies}
      />
    </section>
  );
}
