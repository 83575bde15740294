import { type Tideline, TidelineError } from './client.ts';
import {
  type ChangePageFragment, type ContentEdgeFragment, type ContentPageFragment, HomeChangeEventsDocument, LiveChangeEventsDocument,
  type LiveChangePageFragment, type PostKind, type SessionEdgeFragment, type SessionPageFragment,
} from './generated/graphql.ts';

/** Options for receiving changes. */
export interface Receiving {
  /** The first and the longest wait before a new attempt, in ms; waits double. */
  retry?: { first: number; most: number };
}

/** Options for receiving changes of a home feed. */
export interface ReceivingHome extends Receiving {
  /** The kinds of posts of the feed that gave the token. */
  kinds?: PostKind[];
  /** Whether that feed was the one of special follows. */
  special?: boolean;
}

const passing = ['', 'UNAVAILABLE', 'RATE_LIMITED', 'TIMEOUT', 'INTERNAL'];

/**
 * Yields the changes of the viewer's home feed since a sync token, as they happen. It connects again
 * as often as necessary, and misses none. The last page is one with a RESET: then drop all posts and
 * read the feed from its first page.
 *
 * @throws {TidelineError} with a code that no later attempt can avoid, such as UNAUTHENTICATED.
 */
export async function* homeChanges(client: Tideline, since: string, { kinds, special, retry }: ReceivingHome = {}): AsyncGenerator<ChangePageFragment, void> {
  const events = (since: string) => client.receive(HomeChangeEventsDocument, { since, kinds, special });
  yield* changes(since, events, ({ homeChanges }) => homeChanges, retry);
}

/**
 * Yields the changes of the viewer's live feed since a sync token, as homeChanges does.
 *
 * @throws {TidelineError} with a code that no later attempt can avoid, such as UNAUTHENTICATED.
 */
export async function* liveChanges(client: Tideline, since: string, { retry }: Receiving = {}): AsyncGenerator<LiveChangePageFragment, void> {
  const events = (since: string) => client.receive(LiveChangeEventsDocument, { since });
  yield* changes(since, events, ({ liveChanges }) => liveChanges, retry);
}

interface ChangePage {
  changes: { kind: string }[];
  syncToken: string;
}

async function* changes<Data, Page extends ChangePage>(
  since: string, events: (since: string) => AsyncGenerator<Data, void>, pageOf: (data: Data) => Page, retry = { first: 250, most: 30_000 },
): AsyncGenerator<Page, void> {
  for (let wait = retry.first; ; wait = Math.min(2 * wait, retry.most)) {
    let least = 0;
    try {
      for await (const data of events(since)) {
        const page = pageOf(data);
        since = page.syncToken;
        wait = retry.first;
        yield page;
        if (resets(page)) return;
      }
    } catch (error) {
      if (error instanceof TidelineError) {
        if (!passing.includes(error.code)) throw error;
        least = 1000 * error.retryAfter;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(least, wait * (1 + Math.random()) / 2)));
  }
}

const resets = ({ changes }: ChangePage) => changes.some(({ kind }) => kind === 'RESET');

/** The part of a home feed that was read, kept current. */
export class Entries {
  readonly #byId = new Map<string, ContentEdgeFragment>();
  // The last entry of the last page while there is a next page.
  #oldest: ContentEdgeFragment | undefined;

  /** Adds a page of the feed. Pages must be added from the first one on. */
  add({ edges, pageInfo, syncToken }: ContentPageFragment): void {
    if (syncToken) this.#byId.clear();
    for (const edge of edges) this.#byId.set(edge.node.id, edge);
    this.#oldest = pageInfo.hasNextPage ? edges.at(-1) : undefined;
  }

  /** Applies changes. It returns false after a RESET, when nothing is left. */
  apply(page: ChangePageFragment): boolean {
    if (resets(page)) {
      this.#byId.clear();
      this.#oldest = undefined;
      return false;
    }
    for (const { postId, edge } of page.changes) {
      if (edge) {
        if (!this.#oldest || bySortKey(edge, this.#oldest) <= 0) this.#byId.set(edge.node.id, edge);
      } else if (postId) this.#byId.delete(postId);
    }
    return true;
  }

  /** The entries, newest first. */
  list(): ContentEdgeFragment[] {
    return [...this.#byId.values()].sort(bySortKey);
  }
}

/** The part of a live feed that was read, kept current. */
export class LiveEntries {
  readonly #byId = new Map<string, SessionEdgeFragment>();

  /** Adds a page of the feed. Pages must be added from the first one on. */
  add({ edges, syncToken }: SessionPageFragment): void {
    if (syncToken) this.#byId.clear();
    for (const edge of edges) {
      // Later pages show the moment of the first one, so what is known is newer.
      if (!this.#byId.has(edge.node.id)) this.#byId.set(edge.node.id, edge);
    }
  }

  /** Applies changes. It returns false after a RESET, when nothing is left. */
  apply(page: LiveChangePageFragment): boolean {
    if (resets(page)) {
      this.#byId.clear();
      return false;
    }
    for (const { liveSessionId, edge } of page.changes) {
      if (edge) this.#byId.set(edge.node.id, edge);
      else if (liveSessionId) this.#byId.delete(liveSessionId);
    }
    return true;
  }

  /** The sessions: live ones by latest start, upcoming ones by earliest start, replays by latest end. */
  list(): SessionEdgeFragment[] {
    return [...this.#byId.values()].sort(bySortKey);
  }
}

function bySortKey(a: { sortKey: string }, b: { sortKey: string }): number {
  return a.sortKey === b.sortKey ? 0 : a.sortKey < b.sortKey ? -1 : 1;
}
