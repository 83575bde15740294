import { graphql, useLazyLoadQuery } from 'react-relay';

import type { PostPageQuery } from '../__generated__/PostPageQuery.graphql';
import { PageHead } from '../app/PageHead';
import { PAGE } from '../feed/placement';
import { Empty } from '../parts/Trouble';
import { useSession } from '../session/session';
import { Composer } from './Composer';
import { PostCard } from './PostCard';
import { PostComments } from './PostComments';
import { plainOriginal } from './repost';
import { texts } from '../texts';

/** A post with its parent and replies. The page of a plain repost is that of its original. */
export default function PostPage({ id, attempt }: { id: string; attempt: number }) {
  const { node } = useLazyLoadQuery<PostPageQuery>(
    graphql`
      query PostPageQuery($id: ID!, $first: Int!) {
        node(id: $id) {
          ... on Post @alias(as: "post") {
            id
            author { name handle }
            text
            media
            repostOf { id }
            replyTo { id ...PostCard_post }
            ...PostCard_post
            ...PostComments_post @arguments(first: $first)
          }
        }
      }
    `,
    { id, first: PAGE },
    { fetchKey: attempt, fetchPolicy: 'store-and-network' },
  );
  const { session } = useSession();
  const post = node?.post;
  if (!post) {
    return (
      <>
        <PageHead title={texts.post.title} back />
        <Empty icon="reply" title={texts.post.notFound}><p>{texts.post.notFoundHint}</p></Empty>
      </>
    );
  }
  const original = plainOriginal(post);
  if (original) return <PostPage id={original.id} attempt={attempt} />;
  return (
    <>
      <PageHead title={texts.post.titleBy(post.author.name)} back />
      {post.replyTo && <div className="thread-parent"><PostCard post={post.replyTo} /></div>}
      <PostCard post={post} alone />
      {session.user && <div className="home-composer"><Composer key={post.id} draft={{ text: '', replyTo: post.id }} /></div>}
      <PostComments post={post} />
    </>
  );
}
