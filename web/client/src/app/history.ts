// The current place in the browser history.
import { createStore } from '../parts/store';

export interface Place {
  /** Key of this entry of the browser history; a later visit has another key. */
  key: string;
  path: string;
  search: string;
  /** Whether the visitor came here by going back or forward. */
  returned: boolean;
}

let visits = 0;
const newKey = () => `${Date.now().toString(36)}-${(visits++).toString(36)}`;

function here(returned: boolean): Place {
  const state = history.state as { key?: string } | null;
  const key = state?.key ?? newKey();
  if (!state?.key) history.replaceState({ key }, '');
  return { key, path: location.pathname, search: location.search, returned };
}

/** The current place. */
export const place = createStore<Place>(here(false));

/** The key of the current place and its address: another filter at the same place is another list. */
export const listKey = (): string => place.get().key + place.get().search;

/** Follows the back and forward buttons. Call it once. */
export function followHistory(): void {
  history.scrollRestoration = 'manual';
  addEventListener('popstate', () => place.set(here(true)));
}

/** Opens an address of the client; with replace, without a new history entry. */
export function navigate(href: string, replace = false): void {
  if (replace) history.replaceState({ key: place.get().key }, '', href);
  else history.pushState({ key: newKey() }, '', href);
  place.set(here(false));
}

/** Goes back, or to an address if there is no earlier page of the client. */
export function goBack(otherwise: string): void {
  if (visits > 1) history.back();
  else navigate(otherwise);
}
