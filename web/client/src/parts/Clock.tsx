import { useSyncExternalStore } from 'react';

import { ago, inFull } from '../texts/format';

// One interval for all components that show times; none without such components.
function ticker(every: number) {
  const watchers = new Set<() => void>();
  let interval: ReturnType<typeof setInterval> | undefined;
  let now = Date.now();
  const tick = () => {
    now = Date.now();
    for (const watcher of [...watchers]) watcher();
  };
  return {
    subscribe(watcher: () => void) {
      if (!watchers.size) {
        now = Date.now();
        interval = setInterval(tick, every);
      }
      watchers.add(watcher);
      return () => {
        watchers.delete(watcher);
        if (!watchers.size) clearInterval(interval);
      };
    },
    get: () => now,
  };
}

const seconds = ticker(1_000);
const minutes = ticker(30_000);

/** Returns the time in ms since the epoch; renders again every second or half minute. */
export function useNow(every: 'second' | 'minute'): number {
  const { subscribe, get } = every === 'second' ? seconds : minutes;
  return useSyncExternalStore(subscribe, get);
}

/** The age of a moment; the exact time is the tooltip. */
export function Ago({ moment }: { moment: string }) {
  return (
    <time dateTime={moment} title={inFull(moment)}>
      {ago(moment, useNow('minute'))}
    </time>
  );
}
