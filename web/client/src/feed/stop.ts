// Where the visitor has stopped reading, and what to store of what they read now.

/** A position in the feed, as the server stores it. */
export interface Position {
  cursor: string | null;
  syncToken: string | null;
}

/** The stored position. Cursor and token are null before the first one. */
export interface Stop extends Position {
  /** The sort key of the oldest entry above the position; null if none is to be read. */
  above: string | null;
}

/** What the visitor has read in this visit. */
export interface Read {
  /** The newest entry that was on the screen. */
  newest: { cursor: string; sortKey: string };
  /** Whether they have come to where they had stopped. */
  joined: boolean;
  /** The token of the list if newest is its top and nothing newer waits; null otherwise. */
  token: string | null;
}

/**
 * Returns the position to store next. It stays while entries between the last one and those on the
 * screen are unread, and never moves down. Until the visitor has read the newest entry, it keeps its
 * token, so that the entries above it still count as unread.
 */
export function nextStop(last: Stop, { newest, joined, token }: Read): Stop {
  if (!joined) return last;
  if (token !== null) return { cursor: newest.cursor, syncToken: token, above: null };
  return last.above !== null && newest.sortKey <= last.above ? { ...last, cursor: newest.cursor, above: newest.sortKey } : last;
}
