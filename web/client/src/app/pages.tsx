// The pages, and the parts of the sidebar and navigation, that are not in the first script.
import { use, type ComponentType } from 'react';

import { Failure } from '../relay/failure';

interface Module<P> {
  default: ComponentType<P>;
}

// The number of calls of forgetFailures.
let forgotten = 0;
const forgets: (() => void)[] = [];
const loads: (() => void)[] = [];

// Loads a page when it is first shown, or ahead for all visitors. If that fails, the page shows an
// unreachable server until forgetFailures is called.
function page<P extends object>(load: () => Promise<Module<P>>, ahead = true): ComponentType<P> {
  let loading: Promise<Module<P>> | null = null;
  let failed = false;
  const attempt = async (): Promise<Module<P>> => {
    const began = forgotten;
    try {
      return await load();
    } catch {
      // The server came back during the attempt, so no later event would retry it.
      if (began !== forgotten) return attempt();
      failed = true;
      throw new Failure('UNREACHABLE', 'the page cannot be loaded');
    }
  };
  const loaded = () => (loading ??= attempt());
  forgets.push(() => {
    if (!failed) return;
    loading = null;
    failed = false;
  });
  if (ahead) loads.push(() => void loaded().catch(() => undefined));
  return function Page(props: P) {
    const Loaded = use(loaded()).default;
    return <Loaded {...props} />;
  };
}

export const ChosenFeed = page(() => import('../feed/ChosenFeed'));
export const FilterMenu = page(() => import('../feed/FilterMenu'));
export const ProfilePage = page(() => import('../people/ProfilePage'));
export const SearchPage = page(() => import('../people/SearchPage'));
export const LivePage = page(() => import('../live/LivePage'));
export const LiveNow = page(() => import('../live/LiveNow'));
export const ListsPage = page(() => import('../lists/ListsPage'));
export const ListPage = page(() => import('../lists/ListPage'));
export const ListPicker = page(() => import('../lists/ListPicker'));
export const ShortcutList = page(() => import('./ShortcutList'));
export const RequestsPage = page(() => import('../people/RequestsPage'));
export const RequestsLink = page(() => import('../people/RequestsLink'));
export const Reading = page(() => import('../feed/Reading'));
export const SettingsPage = page(() => import('../session/SettingsPage'));

// Only moderators load these.
const moderation = () => import('../moderation');
export const ModerationPage = page(async () => ({ default: (await moderation()).ModerationPage }), false);
export const TakeDownForm = page(async () => ({ default: (await moderation()).TakeDownForm }), false);
export const UserSanction = page(async () => ({ default: (await moderation()).UserSanction }), false);

/** Forgets failed loads, so that the next use tries again. */
export function forgetFailures(): void {
  forgotten++;
  for (const forget of forgets) forget();
}

/** Preloads the pages for all visitors, so that they open at once, even offline. */
export function loadAhead(): void {
  for (const load of loads) load();
}
