// Changes of the home feed since it was loaded.
import { graphql } from 'react-relay';
import { commitLocalUpdate, ConnectionHandler, fetchQuery, ROOT_ID, type IEnvironment } from 'relay-runtime';

import homeQuery, { type HomeTimelinePageQuery } from '../__generated__/HomeTimelinePageQuery.graphql';
import type { newsCountQuery } from '../__generated__/newsCountQuery.graphql';
import type { newsHomeChangesSubscription, newsHomeChangesSubscription$data } from '../__generated__/newsHomeChangesSubscription.graphql';
import type { newsTokenQuery } from '../__generated__/newsTokenQuery.graphql';
import { createStore } from '../parts/store';
import { homeConnection, homeFeeds, type HomeFeed } from '../post/PostMutations';
import { Follower } from '../relay/follower';
import type { Socket } from '../relay/socket';
import { COUNTED_AT_MOST, PAGE } from './placement';

export interface Announced {
  id: string;
  publishedAt: string;
  cursor: string;
  sortKey: string;
  author: { databaseId: string; name: string };
}

export interface NewsState {
  /** New posts that are not in the list yet, oldest first. */
  posts: readonly Announced[];
  /** The server's count of posts above the newest loaded entry; 100 means 100 or more. */
  counted: number;
}

type Changes = newsHomeChangesSubscription$data['homeChanges'];

const NONE: NewsState = { posts: [], counted: 0 };

/** Receives the changes of a home feed, also those that it missed while it was offline. */
export class News {
  readonly state = createStore<NewsState>(NONE);
  // The cursor of the newest loaded entry.
  #top: string | null = null;
  // The token of the last first page.
  #page: string | null = null;
  readonly #follower: Follower<newsHomeChangesSubscription>;

  constructor(
    private readonly environment: IEnvironment,
    socket: Socket,
    readonly feed: HomeFeed = {},
  ) {
    homeFeeds.set(JSON.stringify(feed), feed);
    this.#follower = new Follower<newsHomeChangesSubscription>(environment, socket, {
      subscription: graphql`
        subscription newsHomeChangesSubscription($since: String!, $special: Boolean, $filter: FeedFilter) {
          homeChanges(since: $since, special: $special, filter: $filter) {
            changes {
              kind
              postId
              edge {
                cursor
                sortKey
                node { id publishedAt author { databaseId name } ...PostCard_post }
              }
            }
            syncToken
          }
        }
      `,
      variables: feed,
      begin: () => this.#begin(),
      apply: ({ homeChanges }) => this.#apply(homeChanges),
    });
  }

  /** The token up to which changes were received; null before the first. */
  get since(): string | null {
    return this.#follower.since;
  }

  /** Starts to listen; the returned function stops it. */
  start(): () => void {
    return this.#follower.start();
  }

  /** Call it after a load of the feed, with the cursor of the newest entry; null for none. */
  setTop(cursor: string | null): void {
    this.#adopt();
    if (cursor === this.#top) return;
    this.#top = cursor;
    this.state.set({ ...this.state.get(), counted: 0 });
  }

  /** The ids of new posts that are not in the list yet. */
  announced(): string[] {
    return this.state.get().posts.map((post) => post.id);
  }

  /**
   * Call it after the feed was loaded up to its top, with the ids announced before the load.
   * Later announcements may not be in the list.
   */
  read(before: readonly string[]): void {
    this.#adopt();
    this.settle(new Set(before));
    this.state.set({ ...this.state.get(), counted: 0 });
  }

  /** Removes announcements that are in the list or do not belong there. */
  settle(ids: ReadonlySet<string>): void {
    const { posts, counted } = this.state.get();
    this.state.set({ posts: posts.filter((post) => !ids.has(post.id)), counted });
  }

  /** Loads the number of unloaded posts above the list. It ignores errors. */
  async count(): Promise<void> {
    const top = this.#top;
    if (top === null) return;
    const answer = await fetchQuery<newsCountQuery>(
      this.environment,
      graphql`
        query newsCountQuery($since: String!, $special: Boolean, $filter: FeedFilter) {
          viewer { homeFeed(first: 0, special: $special, filter: $filter) { newCount(since: $since) } }
        }
      `,
      { ...this.feed, since: top },
      { fetchPolicy: 'network-only' },
    ).toPromise().catch(() => null);
    const counted = answer?.viewer?.homeFeed.newCount;
    if (counted !== undefined && top === this.#top) this.state.set({ ...this.state.get(), counted });
  }

  // Goes on after the first page in the store, if that is another one than before.
  #adopt(): void {
    const page = this.#firstPage();
    if (page === null || page === this.#page) return;
    this.#page = page;
    this.#follower.goOn(page);
  }

  // The token of the first page in the store; null if none was loaded.
  #firstPage(): string | null {
    let token: unknown = null;
    commitLocalUpdate(this.environment, (store) => {
      token = store.get(ROOT_ID)?.getLinkedRecord('viewer')?.getLinkedRecord('homeFeed', { ...this.feed, first: PAGE })?.getValue('syncToken');
    });
    return typeof token === 'string' ? token : null;
  }

  // Begins now if no first page is loaded, such as on another page of the application.
  async #begin(): Promise<string | null> {
    const answer = await fetchQuery<newsTokenQuery>(
      this.environment,
      graphql`query newsTokenQuery($special: Boolean, $filter: FeedFilter) { viewer { homeFeed(first: 0, special: $special, filter: $filter) { syncToken } } }`,
      this.feed,
      { fetchPolicy: 'network-only' },
    ).toPromise().catch(() => null);
    return answer?.viewer?.homeFeed.syncToken ?? null;
  }

  // The store has the new content of posts already.
  #apply({ changes, syncToken }: Changes): string {
    for (const { kind, postId, edge } of changes) {
      if (kind === 'RESET') void this.#reset();
      else if (kind === 'REMOVED' && postId) this.#remove(postId);
      else if (edge && (kind === 'ADDED' || this.announced().includes(edge.node.id))) this.#hold({ ...edge.node, cursor: edge.cursor, sortKey: edge.sortKey });
    }
    return syncToken;
  }

  #hold(post: Announced): void {
    const { posts, counted } = this.state.get();
    if (posts.some((other) => other.id === post.id)) return;
    this.state.set({
      posts: [...posts, post].slice(-COUNTED_AT_MOST),
      counted: posts.length < COUNTED_AT_MOST ? counted && Math.min(counted + 1, COUNTED_AT_MOST) : COUNTED_AT_MOST,
    });
  }

  #remove(id: string): void {
    this.settle(new Set([id]));
    commitLocalUpdate(this.environment, (store) => {
      const list = homeConnection(store, this.feed);
      if (list) ConnectionHandler.deleteNode(list, id);
    });
  }

  // Loads the feed from its top and goes on after it.
  async #reset(): Promise<void> {
    this.state.set(NONE);
    await fetchQuery<HomeTimelinePageQuery>(this.environment, homeQuery, { ...this.feed, first: PAGE }, { fetchPolicy: 'network-only' })
      .toPromise().catch(() => null);
    this.#adopt();
  }
}
