// The pages that are not in the first script.
import { use, type ComponentType } from 'react';

import { Failure } from '../relay/failure';

interface Module<P> {
  default: ComponentType<P>;
}

// How often what failed was forgotten.
let forgotten = 0;
const forgets: (() => void)[] = [];
const loads: (() => void)[] = [];

// A page that is loaded when it is first shown. One that cannot be loaded fails as a
// server does that does not answer, until it is forgotten that it failed.
function page<P extends object>(load: () => Promise<Module<P>>): ComponentType<P> {
  let loading: Promise<Module<P>> | null = null;
  let failed = false;
  const attempt = async (): Promise<Module<P>> => {
    const began = forgotten;
    try {
      return await load();
    } catch {
      // The server came back while it was failing, so nobody would have it tried again.
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
  loads.push(() => void loaded().catch(() => undefined));
  return function Page(props: P) {
    const Loaded = use(loaded()).default;
    return <Loaded {...props} />;
  };
}

export const ProfilePage = page(() => import('../people/ProfilePage'));
export const SearchPage = page(() => import('../people/SearchPage'));
export const LivePage = page(() => import('../live/LivePage'));
export const SettingsPage = page(() => import('../session/SettingsPage'));

/** Forgets what could not be loaded, so that it is loaded anew. */
export function forgetFailures(): void {
  forgotten++;
  for (const forget of forgets) forget();
}

/** Loads all pages ahead, so that they open at once, and also when the connection is lost. */
export function loadAhead(): void {
  for (const load of loads) load();
}
