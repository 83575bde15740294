// The visitor's place in the home feed, restored after a reload. It is stored per tab and
// place in its history.

interface Kept {
  place: string;
  after: string;
}

const NAME = 'tideline-home';

// Read once, because it belongs to the previous page.
const kept = read();

function read(): Kept | null {
  const text = sessionStorage.getItem(NAME);
  sessionStorage.removeItem(NAME);
  return text ? (JSON.parse(text) as Kept) : null;
}

/** Stores the cursor of the entry above the first visible one; null at the top. */
export function putBookmark(place: string, after: string | null): void {
  if (after === null) sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, JSON.stringify({ place, after } satisfies Kept));
}

/** Returns the cursor that the home feed of a place begins after; null for its top. */
export function bookmarkOf(place: string): string | null {
  return kept?.place === place ? kept.after : null;
}
