// What has entered the home feed since it was read.
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
  /** What was announced and has not been put in, oldest first. */
  posts: readonly Announced[];
  /** What the server counted above the newest entry that was read; 100 for 100 or more. */
  counted: number;
}

const NONE: NewsState = { posts: [], counted: 0 };

/**
 * How long after the socket has opened the feed is counted, in ms. No message says when a
 * subscription runs; after a second it does, and what was told before is in the count.
 */
const SETTLED = 1_000;

/** Listens to announcements, and counts what was missed while nobody listened. */
export class News {
  readonly state = createStore<NewsState>(NONE);
  // The cursor of the newest entry that was read: what is above it is new.
  #top: string | null = null;
  #subscription: Disposable | null = null;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #attempts = 0;

  constructor(
    private readonly environment: IEnvironment,
    private readonly socket: Socket,
  ) {}

  /** Begins to listen; returns what ends it. */
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

  /** Notes down to where everything is new: the cursor of the newest entry that was read, null for none. */
  setTop(cursor: string | null): void {
    if (cursor === this.#top) return;
    this.#top = cursor;
    this.state.set({ ...this.state.get(), counted: 0 });
  }

  /** The ids of what has been announced and not been put in. */
  announced(): string[] {
    return this.state.get().posts.map((post) => post.id);
  }

  /**
   * To be called when the feed has been read up to its top. What had been announced before
   * is in it, or has been deleted since; what was announced meanwhile may not be in it.
   */
  read(before: readonly string[]): void {
    this.settle(new Set(before));
    this.state.set({ ...this.state.get(), counted: 0 });
  }

  /** Lets go of what has been put into the list, or does not belong there. */
  settle(ids: ReadonlySet<string>): void {
    const { posts, counted } = this.state.get();
    this.state.set({ posts: posts.filter((post) => !ids.has(post.id)), counted });
  }

  /** Asks the server how much is new. Fails silently: it is asked again with the next connection. */
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
      // The server ends a subscription when it cannot tell whether it told everything.
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
