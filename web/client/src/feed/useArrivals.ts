import { useEffect, useMemo } from 'react';
import { commitLocalUpdate, useRelayEnvironment } from 'react-relay';
import { ConnectionHandler, type IEnvironment } from 'relay-runtime';

import { useNews } from '../app/context';
import { createStore, useStore } from '../parts/store';
import { homeConnection, type HomeFeed } from '../post/PostMutations';
import type { Announced, NewsState } from './news';
import { placementOf, waiting, type Placement } from './placement';

interface Edge {
  cursor: string;
  sortKey: string;
  node: { id: string; publishedAt: string };
}

const NOTHING = createStore<NewsState>({ posts: [], counted: 0 });

/**
 * Inserts announced posts at their place in the feed of the news. Posts above the list wait for the
 * visitor.
 *
 * @param top the cursor of the newest loaded entry
 * @param moreAbove whether older posts above it are not loaded
 * @returns the number of waiting posts and their authors, latest first
 */
export function useArrivals(edges: readonly Edge[], top: string | null, moreAbove: boolean) {
  const environment = useRelayEnvironment();
  const news = useNews();
  const { posts, counted } = useStore(news?.state ?? NOTHING);
  const placed = useMemo(() => {
    const list = edges.map((edge) => ({ ...edge.node, cursor: edge.cursor, sortKey: edge.sortKey }));
    return posts.map((post) => ({ post, at: placementOf(post, list, top) }));
  }, [posts, edges, top]);
  useEffect(() => {
    news?.setTop(top);
    // Unloaded posts above the list were never announced.
    if (moreAbove) void news?.count();
  }, [news, top, moreAbove]);
  useEffect(() => {
    const settled = placed.filter(({ at }) => at !== 'above');
    if (!settled.length || !news) return;
    for (const { post, at } of settled) putIn(environment, news.feed, post, at);
    news.settle(new Set(settled.map(({ post }) => post.id)));
  }, [environment, news, placed]);
  const above = placed.filter(({ at }) => at === 'above').map(({ post }) => post);
  const authors = [...new Map(above.reverse().map(({ author }) => [author.databaseId, author])).values()];
  return { count: waiting(above.length, counted), authors };
}

function putIn(environment: IEnvironment, feed: HomeFeed, post: Announced, at: Placement): void {
  if (typeof at === 'string') return;
  commitLocalUpdate(environment, (store) => {
    const list = homeConnection(store, feed);
    const node = store.get(post.id);
    if (!list || !node) return;
    const edge = ConnectionHandler.createEdge(store, list, node, 'FeedEdge');
    edge.setValue(post.cursor, 'cursor');
    edge.setValue(post.sortKey, 'sortKey');
    ConnectionHandler.insertEdgeBefore(list, edge, at.before);
  });
}
