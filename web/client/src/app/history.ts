// Where the visitor is, and what he saw where he was.
import { createStore } from '../parts/store';

export interface Place {
  /** Of this entry of the browser's history; a visit later has another. */
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

/** The present place. */
export const place = createStore<Place>(here(false));

/** Follows the browser's buttons. To be called once. */
export function followHistory(): void {
  history.scrollRestoration = 'manual';
  addEventListener('popstate', () => place.set(here(true)));
}

/** Goes to an address of the client; in the place of the present one if asked to. */
export function navigate(href: string, replace = false): void {
  if (replace) history.replaceState({ key: place.get().key }, '', href);
  else history.pushState({ key: newKey() }, '', href);
  place.set(here(false));
}

/** Goes back, or to an address when the visitor came straight here. */
export function goBack(otherwise: string): void {
  if (visits > 1) history.back();
  else navigate(otherwise);
}
