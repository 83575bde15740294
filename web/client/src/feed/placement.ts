// Where a content belongs in a list that is on the screen.

/** What the order of feeds goes by. Cursors hold the same, but only the server reads them. */
export interface Key {
  /** RFC 3339 in UTC with three fraction digits, so that texts compare as times do. */
  publishedAt: string;
  /** A 64-bit number in decimal. */
  databaseId: string;
}

export interface Shown extends Key {
  id: string;
  /** Null for what this page put there itself, before the server gave it a place. */
  cursor: string | null;
}

/** Negative when a stands before b: newest first, and of one moment the larger id first. */
export function compare(a: Key, b: Key): number {
  if (a.publishedAt !== b.publishedAt) return a.publishedAt > b.publishedAt ? -1 : 1;
  // As numbers: BigInt of every pair would be slow, and numbers without leading zeros
  // compare by their length first.
  const [x, y] = [a.databaseId, b.databaseId];
  if (x.length !== y.length) return x.length > y.length ? -1 : 1;
  return x === y ? 0 : x > y ? -1 : 1;
}

export type Placement =
  | 'shown' // it is there already
  | 'above' // newer than all that was read: the visitor is asked first
  | 'below' // further down than was read: a scroll gets there
  | { before: string }; // published under an earlier time: before the entry with this cursor

/**
 * Says where an announced content belongs.
 *
 * @param list what is on the screen, in order
 * @param top the cursor of the newest entry that was read from the server; what the page put
 *   in above it itself is no boundary, since others may have published in between
 */
export function placementOf(post: Key & { id: string }, list: readonly Shown[], top: string | null): Placement {
  if (list.some((entry) => entry.id === post.id)) return 'shown';
  const first = list.findIndex((entry) => entry.cursor !== null && entry.cursor === top);
  const boundary = list[Math.max(first, 0)];
  if (!boundary || compare(post, boundary) < 0) return 'above';
  const next = list.slice(Math.max(first, 0)).find((entry) => entry.cursor !== null && compare(post, entry) < 0);
  return next?.cursor ? { before: next.cursor } : 'below';
}

/**
 * How many contents wait above the list: those that were announced, or as many as the
 * server counted when that is more, because it also knows what was missed.
 */
export function waiting(announced: number, counted: number): number {
  return Math.max(announced, counted);
}

/** The server counts up to this many: that many means that many or more. */
export const COUNTED_AT_MOST = 100;

/** The words on the button that shows them. */
export function newPosts(count: number): string {
  if (count >= COUNTED_AT_MOST) return `${COUNTED_AT_MOST}+ new posts`;
  return count === 1 ? '1 new post' : `${count} new posts`;
}
