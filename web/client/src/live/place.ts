// The place of a session in the live feed.
import { bytesOf, compareBytes } from '../relay/cursor';

interface Placed {
  cursor: string;
}

// The state in cursors of sessions that have not begun.
const UPCOMING = '\x02';

/** Negative if a is before b: live ones by latest start, upcoming ones by earliest, replays by latest end. */
export function compare(a: Placed, b: Placed): number {
  const [x, y] = [placeOf(a), placeOf(b)];
  const at = compareBytes(y.at, x.at);
  return compareBytes(x.state, y.state) || (x.state === UPCOMING ? -at : at) || compareBytes(y.id, x.id);
}

interface Listed extends Placed {
  node: { id: string };
}

interface Change {
  kind: string;
  liveSessionId?: string | null | undefined;
  edge?: Placed | null | undefined;
}

/** Reports whether changes may concern the first sessions of the live feed, of which some are listed. */
export function changesFirst(listed: readonly Listed[], size: number, changes: readonly Change[]): boolean {
  const last = listed.length < size ? undefined : listed.at(-1);
  return changes.some(({ kind, liveSessionId, edge }) =>
    kind === 'RESET' || listed.some(({ node }) => node.id === liveSessionId) || (edge != null && (!last || compare(edge, last) < 0)));
}

// The state, its time and the id, in bytes whose order is that of the numbers.
function placeOf({ cursor }: Placed): { state: string; at: string; id: string } {
  const bytes = bytesOf(cursor);
  return { state: bytes.slice(2, 3), at: bytes.slice(35, 43), id: bytes.slice(43, 51) };
}
