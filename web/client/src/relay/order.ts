/** Negative if entry a is before b in their list. */
export function bySortKey(a: { sortKey: string }, b: { sortKey: string }): number {
  return a.sortKey === b.sortKey ? 0 : a.sortKey < b.sortKey ? -1 : 1;
}
