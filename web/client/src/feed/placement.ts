// The place of a post in the list on the screen.
import { bySortKey } from '../relay/order';

export interface Shown {
  id: string;
  /** RFC 3339 in UTC with three fraction digits, so that strings compare like times. */
  publishedAt: string;
  /** Null for a post of this page that the server has not placed yet. */
  cursor: string | null;
  /** Null like the cursor. */
  sortKey: string | null;
}

/** Negative if a is before b in the feed. Posts that the server has not placed yet are placed by time. */
export function compare(a: Shown, b: Shown): number {
  if (a.sortKey !== null && b.sortKey !== null) return bySortKey({ sortKey: a.sortKey }, { sortKey: b.sortKey });
  return a.publishedAt === b.publishedAt ? 0 : a.publishedAt > b.publishedAt ? -1 : 1;
}

export type Placement =
  | 'shown' // already in the list
  | 'above' // newer than the list: waits for the visitor
  | 'below' // older than the list: a scroll loads it
  | { before: string }; // inside the list: before the entry with this cursor

/**
 * Returns the place of an announced post.
 *
 * @param list the posts on the screen, in order
 * @param top the cursor of the newest entry from the server. Entries that the page inserted
 *   above it are no boundary, since others may have published in between
 */
export function placementOf(post: Shown, list: readonly Shown[], top: string | null): Placement {
  if (list.some((entry) => entry.id === post.id)) return 'shown';
  const first = list.findIndex((entry) => entry.cursor !== null && entry.cursor === top);
  const boundary = list[Math.max(first, 0)];
  if (!boundary || compare(post, boundary) < 0) return 'above';
  const next = list.slice(Math.max(first, 0)).find((entry) => entry.cursor !== null && compare(post, entry) < 0);
  return next?.cursor ? { before: next.cursor } : 'below';
}

/**
 * Returns how many posts wait above the list: the announced ones, or the server's count if it
 * is larger, because it includes missed announcements.
 */
export function waiting(announced: number, counted: number): number {
  return Math.max(announced, counted);
}

/** Posts per page. */
export const PAGE = 20;

/** The server counts up to this number, which means this many or more. */
export const COUNTED_AT_MOST = 100;
