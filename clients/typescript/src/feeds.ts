import { type Tideline, TidelineError } from './client.ts';
import {
  type ContentEdgeFragment, type ContentPageFragment, HomeFeedDocument, LiveFeedDocument, type PostKind, type SessionPageFragment,
} from './generated/graphql.ts';

/** Options for reading a feed. */
export interface Reading {
  /** Entries per page: 1 to 100, 20 by default. */
  size?: number;
}

/** Options for reading a home feed. */
export interface ReadingHome extends Reading {
  /** The kinds of posts; all by default. */
  kinds?: PostKind[];
  /** Whether to read only posts of special follows. */
  special?: boolean;
}

/**
 * Yields the pages of the viewer's home feed, newest first. Posts published meanwhile are above
 * the first page: start again to read them.
 *
 * @throws {TidelineError} UNAUTHENTICATED for an anonymous viewer.
 */
export async function* homeFeed(client: Tideline, reading: ReadingHome = {}): AsyncGenerator<ContentEdgeFragment[], void> {
  for await (const { edges } of homePages(client, reading)) yield edges;
}

/**
 * Like homeFeed, with positions. The `syncToken` of the first page is where `homeChanges` begins.
 *
 * @throws {TidelineError} UNAUTHENTICATED for an anonymous viewer.
 */
export async function* homePages(client: Tideline, { size = 20, kinds, special }: ReadingHome = {}): AsyncGenerator<ContentPageFragment, void> {
  yield* pages(async (after) => (await client.ask(HomeFeedDocument, { first: size, after, kinds, special })).viewer?.homeFeed);
}

/**
 * Yields the pages of the viewer's live feed: live sessions, upcoming ones, replays. All pages show
 * the moment of the first one, and its `syncToken` is where `liveChanges` begins.
 *
 * @throws {TidelineError} UNAUTHENTICATED for an anonymous viewer.
 */
export async function* livePages(client: Tideline, { size = 20 }: Reading = {}): AsyncGenerator<SessionPageFragment, void> {
  yield* pages(async (after) => (await client.ask(LiveFeedDocument, { first: size, after })).viewer?.liveFeed);
}

interface Page {
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** Yields all pages of a list; read returns undefined for an anonymous viewer. */
async function* pages<P extends Page>(read: (after: string | null) => Promise<P | undefined>): AsyncGenerator<P, void> {
  for (let after: string | null = null; ; ) {
    const page: P | undefined = await read(after);
    if (!page) throw new TidelineError('The viewer is anonymous.', 'UNAUTHENTICATED');
    yield page;
    const { hasNextPage, endCursor } = page.pageInfo;
    if (!hasNextPage || endCursor === null) return;
    after = endCursor;
  }
}
