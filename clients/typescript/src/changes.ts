import { type Tideline, TidelineError } from './client.ts';
import { type ChangePageFragment, type ContentEdgeFragment, type ContentPageFragment, HomeChangeEventsDocument, type PostKind } from './generated/graphql.ts';

/** Options for receiving changes. */
export interface Receiving {
  /** The kinds of posts of the feed that gave the token. */
  kinds?: PostKind[];
  /** The first and the longest wait before a new attempt, in ms; waits double. */
  retry?: { first: number; most: number };
}

const passing = ['', 'UNAVAILABLE', 'RATE_LIMITED', 'TIMEOUT', 'INTERNAL'];

/**
 * Yields the changes of the viewer's home feed since a sync token, as they happen. It connects again
 * as often as necessary, and misses none. The last page is one with a RESET: then drop all posts and
 * read the feed from its first page.
 *
 * @throws {TidelineError} with a code that no later attempt can avoid, such as UNAUTHENTICATED.
 */
export async function* homeChanges(
  client: Tideline, since: string, { kinds, retry = { first: 250, most: 30_000 } }: Receiving = {},
): AsyncGenerator<ChangePageFragment, void> {
  for (let wait = retry.first; ; wait = Math.min(2 * wait, retry.most)) {
    let least = 0;
    try {
      for await (const { homeChanges: page } of client.receive(HomeChangeEventsDocument, { since, kinds })) {
        since = page.syncToken;
        wait = retry.first;
        yield page;
        if (page.changes.some(({ kind }) => kind === 'RESET')) return;
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
  apply({ changes }: ChangePageFragment): boolean {
    for (const { kind, postId, edge } of changes) {
      if (kind === 'RESET') {
        this.#byId.clear();
        this.#oldest = undefined;
        return false;
      }
      if (edge) {
        if (!this.#oldest || newestFirst(edge, this.#oldest) <= 0) this.#byId.set(edge.node.id, edge);
      } else if (postId) this.#byId.delete(postId);
    }
    return true;
  }

  /** The entries, newest first. */
  list(): ContentEdgeFragment[] {
    return [...this.#byId.values()].sort(newestFirst);
  }
}

function newestFirst(a: ContentEdgeFragment, b: ContentEdgeFragment): number {
  const [x, y] = [place(a.cursor), place(b.cursor)];
  return x === y ? 0 : x > y ? -1 : 1;
}

/** Bytes 3 to 18 of a cursor order the feed. Ids do not, where they are text. */
function place(cursor: string): string {
  return atob(cursor.replace(/-/g, '+').replace(/_/g, '/')).slice(3, 19);
}
