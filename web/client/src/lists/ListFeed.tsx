import { useEffect, useRef, useState, type ReactNode } from 'react';
import { fetchQuery, graphql, usePaginationFragment, useRelayEnvironment } from 'react-relay';

import type { ListFeed_list$key } from '../__generated__/ListFeed_list.graphql';
import type { ListFeedCountQuery } from '../__generated__/ListFeedCountQuery.graphql';
import type { ListFeedPageQuery } from '../__generated__/ListFeedPageQuery.graphql';
import { useShortcut } from '../app/shortcuts';
import { NewPostsPill } from '../feed/NewPostsPill';
import { PostFeed } from '../feed/PostFeed';
import { Empty } from '../parts/Trouble';
import type { WindowListHandle } from '../parts/WindowList';
import { texts } from '../texts';
import { pageTexts } from '../texts/pages';

/** A list has no events, so its new posts are counted this often, in ms, and when the page is back on the screen. */
const COUNTED_EVERY = 60_000;

interface Props {
  list: ListFeed_list$key;
  /** What to show for a list without members; null with members. */
  empty: ReactNode;
  /** Loads the first page again. */
  readAgain(): void;
}

/** The posts by the members of a list. */
export function ListFeed({ list: key, empty, readAgain }: Props) {
  const { data, hasNext, loadNext, isLoadingNext } = usePaginationFragment<ListFeedPageQuery, ListFeed_list$key>(
    graphql`
      fragment ListFeed_list on AuthorList
      @refetchable(queryName: "ListFeedPageQuery")
      @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }) {
        id
        name
        feed(first: $first, after: $after) @connection(key: "ListFeed_feed") {
          edges {
            cursor
            node {
              id
              author { viewerMutes viewerBlocks }
              repostOf { author { viewerMutes viewerBlocks } }
              ...PostCard_post
            }
          }
          pageInfo { startCursor }
        }
      }
    `,
    key,
  );
  const count = useNewCount(data.id, data.feed.pageInfo.startCursor ?? '');
  const list = useRef<WindowListHandle>(null);
  const toNewest = () => {
    readAgain();
    list.current?.toTop();
  };
  useShortcut('.', toNewest);
  return (
    <>
      <NewPostsPill title={data.name} count={count} authors={[]} busy={false} onClick={toNewest} />
      <PostFeed
        ref={list}
        label={pageTexts.lists.feed(data.name)}
        // Posts by users that the viewer mutes or blocks leave the screen at once.
        edges={data.feed.edges.filter(({ node }) => node && ![node.author, node.repostOf?.author].some((one) => one?.viewerMutes || one?.viewerBlocks))}
        hasNext={hasNext}
        loadNext={loadNext}
        loadingNext={isLoadingNext}
        empty={empty ?? <Empty icon="compose" title={pageTexts.lists.noPosts}><p>{pageTexts.lists.noPostsHint}</p></Empty>}
        end={texts.home.end}
      />
    </>
  );
}

// Returns the number of posts above a cursor.
function useNewCount(id: string, since: string): number {
  const environment = useRelayEnvironment();
  const [counted, setCounted] = useState({ since, count: 0 });
  useEffect(() => {
    const look = () => {
      if (document.hidden) return;
      fetchQuery<ListFeedCountQuery>(
        environment,
        graphql`
          query ListFeedCountQuery($id: ID!, $since: String!) {
            node(id: $id) { ... on AuthorList { feed(first: 0) { newCount(since: $since) } } }
          }
        `,
        { id, since },
        { fetchPolicy: 'network-only' },
      ).toPromise().then((answer) => setCounted({ since, count: answer?.node?.feed?.newCount ?? 0 }), () => undefined);
    };
    const timer = setInterval(look, COUNTED_EVERY);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [environment, id, since]);
  return counted.since === since ? counted.count : 0;
}
