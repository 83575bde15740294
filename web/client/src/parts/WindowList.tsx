// A long list that scrolls with the page and renders only the entries near the screen.
import { useEffect, useImperativeHandle, useLayoutEffect, useReducer, useRef, type ReactNode, type Ref, type RefObject } from 'react';

import { rangeAround, type Anchor, type ListMemory, type Range } from './window';

export interface WindowListHandle {
  /** Moves the focus by one entry and scrolls it into view. */
  move(by: 1 | -1): void;
  /** Scrolls to an entry and gives it the focus. */
  to(key: string): void;
  /** Scrolls to the top of the list. */
  toTop(): void;
}

interface Props<T> {
  items: readonly T[];
  keyOf(item: T): string;
  render(item: T, index: number): ReactNode;
  /** The state of the list; the same object when the visitor returns to it. */
  memory: ListMemory;
  /** The accessible name. */
  label: string;
  busy?: boolean;
  /** Whether the visitor returned to the list: the entry they left gets the focus. */
  returned?: boolean;
  /** Whether there are more entries above: then the top entry keeps its place when they are inserted. */
  moreAbove?: boolean;
  onNearTop?(): void;
  onNearEnd?(): void;
  ref?: Ref<WindowListHandle> | undefined;
}

/** The list loads more when this many entries are left. */
const NEAR = 6;

/**
 * Renders the entries near the screen, between two paddings for the others. The anchor is the
 * first visible entry and its distance from the top of the screen. It keeps its place when
 * entries above it are inserted or change their height.
 */
export function WindowList<T>(props: Props<T>) {
  const { items, keyOf, render, memory, moreAbove = false, onNearTop, onNearEnd } = props;
  const box = useRef<HTMLDivElement>(null);
  const keys = items.map(keyOf);
  const range = rangeAround(keys, memory, innerHeight);
  const rerender = useSteady(box, { keys, range, memory, moreAbove });
  useHandle(props.ref, box, keys, memory, rerender);
  useReturn(box, memory, props.returned ?? false);
  useEffect(() => {
    if (range.end >= keys.length - NEAR) onNearEnd?.();
    if (range.start <= NEAR) onNearTop?.();
  });
  return (
    <div
      ref={box}
      className="window-list"
      role="feed"
      aria-label={props.label}
      aria-busy={props.busy ?? false}
      onFocus={() => (memory.focused = focusedKey(box.current) ?? null)}
      style={{ paddingTop: range.before, paddingBottom: range.after }}
    >
      {items.slice(range.start, range.end).map((item, i) => (
        <div key={keys[range.start + i]} data-key={keys[range.start + i]} className="window-item">
          {render(item, range.start + i)}
        </div>
      ))}
    </div>
  );
}

interface Shown {
  keys: readonly string[];
  range: Range;
  memory: ListMemory;
  moreAbove: boolean;
}

// Keeps the anchor in place when the list changes, and chooses another when the visitor
// scrolls. The returned function renders the list again.
function useSteady(box: RefObject<HTMLDivElement | null>, shown: Shown): () => void {
  const [, rerender] = useReducer((n: number) => n + 1, 0);
  const { memory } = shown;
  const latest = useRef(shown);
  useLayoutEffect(() => {
    latest.current = shown;
    steady(box.current, memory);
  });
  useEffect(() => {
    const follow = () => {
      if (!box.current) return;
      const { keys, range, moreAbove } = latest.current;
      memory.anchor = anchorOf(box.current, keys, memory, moreAbove);
      const next = rangeAround(keys, memory, innerHeight);
      if (next.start !== range.start || next.end !== range.end) rerender();
    };
    const resized = new ResizeObserver(() => steady(box.current, memory));
    if (box.current) resized.observe(box.current);
    addEventListener('scroll', follow, { passive: true });
    addEventListener('resize', follow);
    return () => {
      resized.disconnect();
      removeEventListener('scroll', follow);
      removeEventListener('resize', follow);
    };
  }, [box, memory]);
  return rerender;
}

// Implements the handle. An entry that is not rendered yet gets the focus once it is.
function useHandle(
  ref: Ref<WindowListHandle> | undefined,
  box: RefObject<HTMLDivElement | null>,
  keys: readonly string[],
  memory: ListMemory,
  rerender: () => void,
): void {
  const wanted = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (wanted.current !== null && focus(box.current, wanted.current)) wanted.current = null;
  });
  const to = (key: string) => {
    wanted.current = key;
    memory.anchor = { key, offset: innerHeight / 3 };
    rerender();
  };
  useImperativeHandle(ref, () => ({
    to,
    move(by) {
      const at = keys.indexOf(focusedKey(box.current) ?? '');
      const from = at >= 0 ? at + by : Math.max(0, keys.indexOf(memory.anchor?.key ?? ''));
      const key = keys[Math.min(Math.max(from, 0), keys.length - 1)];
      if (key !== undefined && !focus(box.current, key)) to(key);
    },
    toTop() {
      memory.anchor = null;
      rerender();
      scrollTo({ top: 0 });
    },
  }));
}

// Returns the focus to the entry that had it, without scrolling, unless another element has it.
function useReturn(box: RefObject<HTMLDivElement | null>, memory: ListMemory, returned: boolean): void {
  const first = useRef(true);
  useLayoutEffect(() => {
    if (!first.current) return;
    first.current = false;
    const taken = document.activeElement?.closest('main *, dialog, input, button, a');
    if (!returned || taken || memory.focused === null) return;
    articleOf(box.current, memory.focused)?.focus({ preventScroll: true });
  });
}

const entries = (box: HTMLElement) => [...box.children] as HTMLElement[];

// Measures the rendered entries, and scrolls so that the anchor keeps its place.
function steady(box: HTMLElement | null, memory: ListMemory): void {
  if (!box) return;
  for (const entry of entries(box)) {
    const { key } = entry.dataset;
    const { height } = entry.getBoundingClientRect();
    if (key !== undefined && height > 0) memory.heights.set(key, height);
  }
  const { anchor } = memory;
  const entry = anchor && entries(box).find((one) => one.dataset['key'] === anchor.key);
  if (!entry) return;
  const off = entry.getBoundingClientRect().top - anchor.offset;
  if (Math.abs(off) >= 1) scrollBy({ top: off, behavior: 'instant' });
}

// Returns the first visible entry; null at the top of the list, unless hold is set.
function anchorOf(box: HTMLElement, keys: readonly string[], memory: ListMemory, hold: boolean): Anchor | null {
  const { top } = box.getBoundingClientRect();
  if (top >= 0 && !hold) return null;
  for (const entry of entries(box)) {
    const place = entry.getBoundingClientRect();
    const { key } = entry.dataset;
    if (place.bottom > 0 && place.top < innerHeight && key !== undefined) return { key, offset: place.top };
  }
  // After a drag of the scroll bar, no rendered entry may be visible.
  let offset = top;
  for (const key of keys) {
    const height = memory.heights.get(key) ?? memory.estimate;
    if (offset + height > 0) return { key, offset };
    offset += height;
  }
  return null;
}

function focusedKey(box: HTMLElement | null): string | undefined {
  const entry = document.activeElement?.closest<HTMLElement>('.window-item');
  return entry && box?.contains(entry) ? entry.dataset['key'] : undefined;
}

function articleOf(box: HTMLElement | null, key: string): HTMLElement | null {
  const entry = box && entries(box).find((one) => one.dataset['key'] === key);
  return entry?.querySelector<HTMLElement>('article') ?? null;
}

function focus(box: HTMLElement | null, key: string): boolean {
  const article = articleOf(box, key);
  if (!article) return false;
  article.focus({ preventScroll: true });
  article.scrollIntoView({ block: 'nearest' });
  return true;
}
