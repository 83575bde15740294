// The part of a long list near the screen.

/** An entry of the list and its distance from the top of the screen, in pixels. */
export interface Anchor {
  key: string;
  offset: number;
}

/** The state of a list while it is not shown. */
export interface ListMemory {
  /** Measured heights of entries, in pixels. */
  heights: Map<string, number>;
  /** Estimated height of an unmeasured entry. */
  estimate: number;
  /** The first visible entry; null at the top. */
  anchor: Anchor | null;
  /** The entry that last had the focus; null for none. */
  focused: string | null;
}

export interface Range {
  /** The first rendered entry, and the first one after the last. */
  start: number;
  end: number;
  /** The heights in pixels of the entries before and after them. */
  before: number;
  after: number;
}

/** Screens rendered beyond either edge, for fast scrolling. */
const BEYOND = 1;

/** Returns the entries to render so that the anchor is in place, for a screen height in pixels. */
export function rangeAround(keys: readonly string[], memory: ListMemory, screen: number): Range {
  const heightOf = (i: number) => memory.heights.get(keys[i]!) ?? memory.estimate;
  const found = memory.anchor ? keys.indexOf(memory.anchor.key) : -1;
  const at = Math.max(found, 0);
  const offset = found >= 0 ? memory.anchor!.offset : 0;
  let start = at;
  for (let top = offset; start > 0 && top > -BEYOND * screen; ) top -= heightOf(--start);
  let end = at;
  for (let bottom = offset; end < keys.length && bottom < (1 + BEYOND) * screen; ) bottom += heightOf(end++);
  const sum = (from: number, to: number) => {
    let total = 0;
    for (let i = from; i < to; i++) total += heightOf(i);
    return total;
  };
  return { start, end, before: sum(0, start), after: sum(end, keys.length) };
}

/** The number of stored lists: as many as pages whose data is kept. */
const LISTS = 20;

const lists = new Map<string, ListMemory>();

/** Returns the state of a named list at a place in the history; a new one if none is stored. */
export function memoryOf(place: string, name: string, estimate: number): ListMemory {
  const key = `${place} ${name}`;
  const memory = lists.get(key) ?? { heights: new Map(), estimate, anchor: null, focused: null };
  lists.delete(key);
  lists.set(key, memory);
  for (const oldest of lists.keys()) {
    if (lists.size <= LISTS) break;
    lists.delete(oldest);
  }
  return memory;
}
