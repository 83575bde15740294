import { type Tideline, TidelineError } from './client.ts';
import { type ContentEdgeFragment, type ContentPageFragment, HomeFeedDocument, type PostKind } from './generated/graphql.ts';

/** Options for reading a home feed. */
export interface Reading {
  /** Entries per page: 1 to 100, 20 by default. */
  size?: number;
  /** The kinds of posts; all by default. */
  kinds?: PostKind[];
}

/**
 * Yields the pages of the viewer's home feed, newest first. Posts published meanwhile are above
 * the first page: start again to read them.
 *
 * @throws {TidelineError} UNAUTHENTICATED for an anonymous viewer.
 */
export async function* homeFeed(client: Tideline, reading: Reading = {}): AsyncGenerator<ContentEdgeFragment[], void> {
  for await (const { edges } of homePages(client, reading)) yield edges;
}

/**
 * Like homeFeed, with positions. The `syncToken` of the first page is where `homeChanges` begins.
 *
 * @throws {TidelineError} UNAUTHENTICATED for an anonymous viewer.
 */
export async function* homePages(client: Tideline, { size = 20, kinds }: Reading = {}): AsyncGenerator<ContentPageFragment, void> {
  const page = async (after: string | null) => {
    const { viewer } = await client.ask(HomeFeedDocument, { first: size, after, kinds });
    if (!viewer) throw new TidelineError('The viewer is anonymous.', 'UNAUTHENTICATED');
    return viewer.homeFeed;
  };
  let after: string | null = null;
  do {
    const read = await page(after);
    yield read;
    const { pageInfo } = read;
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
}
