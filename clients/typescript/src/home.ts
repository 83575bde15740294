import { type Tideline, TidelineError } from './client.ts';
import { type ContentEdgeFragment, HomeFeedDocument, type PostKind } from './generated/graphql.ts';

/** What to read of a home feed. */
export interface Reading {
  /** How many entries a page has: 1 to 100, 20 by default. */
  size?: number;
  /** The kinds of content to read; all by default. */
  kinds?: PostKind[];
}

/**
 * Reads the viewer's home feed from the top to its end, newest first, one page for each
 * step. What is published meanwhile stands above the first page: begin again for it.
 *
 * @throws {TidelineError} UNAUTHENTICATED when nobody is signed in.
 */
export async function* homeFeed(client: Tideline, { size = 20, kinds }: Reading = {}): AsyncGenerator<ContentEdgeFragment[], void> {
  const page = async (after: string | null) => {
    const { viewer } = await client.ask(HomeFeedDocument, { first: size, after, kinds });
    if (!viewer) throw new TidelineError('Nobody is signed in.', 'UNAUTHENTICATED');
    return viewer.homeFeed;
  };
  let after: string | null = null;
  do {
    const { edges, pageInfo } = await page(after);
    yield edges;
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null);
}
