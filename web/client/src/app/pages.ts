// The pages that are not in the first script.
import { lazy, type ComponentType } from 'react';

import { Failure } from '../relay/failure';

// A page that cannot be loaded is as a server that does not answer.
function page<P>(load: () => Promise<{ default: ComponentType<P> }>) {
  const loaded = () =>
    load().catch(() => {
      throw new Failure('UNREACHABLE', 'the page cannot be loaded');
    });
  return { Page: lazy(loaded), load };
}

const profile = page(() => import('../people/ProfilePage'));
const search = page(() => import('../people/SearchPage'));
const live = page(() => import('../live/LivePage'));
const settings = page(() => import('../session/SettingsPage'));

export const ProfilePage = profile.Page;
export const SearchPage = search.Page;
export const LivePage = live.Page;
export const SettingsPage = settings.Page;

/** How long after the start the other pages are loaded, in ms: when the first is there. */
const LATER = 2_000;

/** Loads all pages ahead, so that they open at once, and also when the connection is lost. */
export function loadAhead(): void {
  setTimeout(() => {
    for (const { load } of [profile, search, live, settings]) load().catch(() => undefined);
  }, LATER);
}
