// Which part of a long list is near the screen.

/** An entry of the list and its distance from the top of the screen, in pixels. */
export interface Anchor {
  key: string;
  offset: number;
}

/** What a list remembers while it is away. */
export interface ListMemory {
  /** Heights in pixels of entries that have been shown. */
  heights: Map<string, number>;
  /** How high an entry is thought to be that never was. */
  estimate: number;
  /** The first entry in sight; null at the top. */
  anchor: Anchor | null;
  /** The entry that last had the focus, or of which a part had it; null when none had. */
  focused: string | null;
}

export interface Range {
  /** The first entry to show, and the first one after those to show. */
  start: number;
  end: number;
  /** The heights in pixels of what is not shown before and after them. */
  before: number;
  after: number;
}

/** How many screens' worth is shown beyond either edge, so that fast scrolling finds something. */
const BEYOND = 1;

/** Returns what is to be shown for the anchor to be where it says, on a screen of a height in pixels. */
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

/** How many lists are remembered: as many as pages whose data is kept. */
const LISTS = 20;

const lists = new Map<string, ListMemory>();

/**
 * Returns what the list of a name remembers of a place in the visitor's history; nothing
 * when it was never there, or long ago.
 */
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
