// New posts of the home feed since it was loaded.
import { graphql } from 'react-relay';
import { fetchQuery, requestSubscription, type Disposable, type IEnvironment } from 'relay-runtime';

import type { newsCountQuery } from '../__generated__/newsCountQuery.graphql';
import type { newsHomeFeedSubscription } from '../__generated__/newsHomeFeedSubscription.graphql';
import { createStore } from '../parts/store';
import { backoff } from '../relay/backoff';
import type { Socket } from '../relay/socket';
import { COUNTED_AT_MOST } from './placement';

export interface Announced {
  id: string;
  databaseId: string;
  publishedAt: string;
  cursor: string;
  author: { databaseId: string; name: string };
}

export interface NewsState {
  /** Announced posts that are not in the list yet, oldest first. */
  posts: readonly Announced[];
  /** The server's count of posts above the newest loaded entry; 100 means 100 or more. */
  counted: number;
}

const NONE: NewsState = { posts: [], counted: 0 };

/**
 * Delay in ms between the opening of the socket and the count of new posts. No message says
 * when a subscription runs; after a second it does, and the count includes earlier posts.
 */
const SETTLED = 1_000;

/** Listens to announcements, and counts the posts that it missed. */
export class News {
  readonly state = createStore<NewsState>(NONE);
  // The cursor of the newest loaded entry.
  #top: string | null = null;
  #subscription: Disposable | null = null;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #attempts = 0;

  constructor(
    private readonly environment: IEnvironment,
    private readonly socket: Socket,
  ) {}

  /** Starts to listen; the returned function stops it. */
  start(): () => void {
    this.socket.onOpen = () => this.#after(SETTLED, () => void this.count());
    this.#listen();
    return () => {
      this.#subscription?.dispose();
      this.#subscription = null;
      for (const timer of this.#timers) clearTimeout(timer);
      this.socket.close();
    };
  }

  /** Sets the cursor of the newest loaded entry; null for none. */
  setTop(cursor: string | null): void {
    if (cursor === this.#top) return;
    this.#top = cursor;
    this.state.set({ ...this.state.get(), counted: 0 });
  }

  /** The ids of announced posts that are not in the list yet. */
  announced(): string[] {
    return this.state.get().posts.map((post) => post.id);
  }

  /**
   * Call it after the feed was loaded up to its top, with the ids announced before the load.
   * Later announcements may not be in the list.
   */
  read(before: readonly string[]): void {
    this.settle(new Set(before));
    this.state.set({ ...this.state.get(), counted: 0 });
  }

  /** Removes announcements that are in the list or do not belong there. */
  settle(ids: ReadonlySet<string>): void {
    const { posts, counted } = this.state.get();
    this.state.set({ posts: posts.filter((post) => !ids.has(post.id)), counted });
  }

  /** Loads the number of new posts. It ignores errors: the next connection counts again. */
  async count(): Promise<void> {
    const top = this.#top;
    if (top === null) return;
    const answer = await fetchQuery<newsCountQuery>(
      this.environment,
      graphql`
        query newsCountQuery($since: String!) {
          viewer { homeFeed(first: 0) { newCount(since: $since) } }
        }
      `,
      { since: top },
      { fetchPolicy: 'network-only' },
    ).toPromise().catch(() => null);
    const counted = answer?.viewer?.homeFeed.newCount;
    if (counted !== undefined && top === this.#top) this.state.set({ ...this.state.get(), counted });
  }

  #listen(): void {
    this.#subscription = requestSubscription<newsHomeFeedSubscription>(this.environment, {
      subscription: graphql`
        subscription newsHomeFeedSubscription {
          homeFeedEdges {
            cursor
            node { id databaseId publishedAt author { databaseId name } ...PostCard_post }
          }
        }
      `,
      variables: {},
      onNext: (event) => event && this.#hold({ ...event.homeFeedEdges.node, cursor: event.homeFeedEdges.cursor }),
      // The server ends a subscription that may have missed posts.
      onError: () => this.#again(),
      onCompleted: () => this.#again(),
    });
  }

  #hold(post: Announced): void {
    this.#attempts = 0;
    const { posts, counted } = this.state.get();
    if (posts.some((other) => other.id === post.id)) return;
    this.state.set({
      posts: [...posts, post].slice(-COUNTED_AT_MOST),
      counted: posts.length < COUNTED_AT_MOST ? counted && Math.min(counted + 1, COUNTED_AT_MOST) : COUNTED_AT_MOST,
    });
  }

  #again(): void {
    this.#after(backoff(this.#attempts++), () => {
      this.#subscription?.dispose();
      this.#listen();
      this.#after(SETTLED, () => void this.count());
    });
  }

  #after(ms: number, something: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      something();
    }, ms);
    this.#timers.add(timer);
  }
}
