// The place of a session in the live feed.

interface Placed {
  cursor: string;
}

// The state in cursors of sessions that have not begun.
const UPCOMING = '\x02';

/** Negative if a is before b: live ones by latest start, upcoming ones by earliest, replays by latest end. */
export function compare(a: Placed, b: Placed): number {
  const [x, y] = [placeOf(a), placeOf(b)];
  const at = order(y.at, x.at);
  return order(x.state, y.state) || (x.state === UPCOMING ? -at : at) || order(y.id, x.id);
}

// The state, its time and the id, in bytes whose order is that of the numbers.
function placeOf({ cursor }: Placed): { state: string; at: string; id: string } {
  const bytes = atob(cursor.replace(/-/g, '+').replace(/_/g, '/'));
  return { state: bytes.slice(2, 3), at: bytes.slice(35, 43), id: bytes.slice(43, 51) };
}

function order(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
