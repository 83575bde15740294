// Where the visitor was in his home feed, for when he loads the page again. It is kept for
// the one tab, and for the one place in its history.

interface Kept {
  place: string;
  after: string;
}

const NAME = 'tideline-home';

// Read once, since it is about the page that was left and not about this one.
const kept = read();

function read(): Kept | null {
  const text = sessionStorage.getItem(NAME);
  sessionStorage.removeItem(NAME);
  return text ? (JSON.parse(text) as Kept) : null;
}

/** Notes the cursor of the entry above the first one in sight, or, by null, that the visitor is at the top. */
export function putBookmark(place: string, after: string | null): void {
  if (after === null) sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, JSON.stringify({ place, after } satisfies Kept));
}

/** Returns the cursor that the home feed of a place is to begin below; null for its top. */
export function bookmarkOf(place: string): string | null {
  return kept?.place === place ? kept.after : null;
}
