// Times in words.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago a moment is, as short as possible: "now", "5 min", "3 h", "2 d", then the date. */
export function ago(moment: string, now: number, locale?: string): string {
  const then = Date.parse(moment);
  const passed = now - then;
  if (passed < MINUTE) return 'now';
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h`;
  if (passed < 7 * DAY) return `${Math.floor(passed / DAY)} d`;
  const sameYear = new Date(then).getFullYear() === new Date(now).getFullYear();
  const year = sameYear ? {} : { year: 'numeric' as const };
  return new Date(then).toLocaleDateString(locale, { day: 'numeric', month: 'short', ...year });
}

/** A moment in full, for whoever wants to know it exactly. */
export function inFull(moment: string, locale?: string): string {
  return new Date(moment).toLocaleString(locale, { dateStyle: 'full', timeStyle: 'short' });
}

/**
 * A length of time in its two largest units: "2 d 3 h", "1 h 5 min", "4 min 9 s", "12 s".
 * Never negative.
 */
export function span(ms: number): string {
  const left = Math.max(0, ms);
  if (left >= DAY) return pair(left, DAY, 'd', HOUR, 'h');
  if (left >= HOUR) return pair(left, HOUR, 'h', MINUTE, 'min');
  if (left >= MINUTE) return pair(left, MINUTE, 'min', SECOND, 's');
  return `${Math.floor(left / SECOND)} s`;
}

function pair(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${largeUnit}${rest ? ` ${rest} ${smallUnit}` : ''}`;
}

export interface SessionTimes {
  state: 'UPCOMING' | 'LIVE' | 'REPLAY';
  scheduledAt: string;
  startedAt: string | null | undefined;
  endedAt: string | null | undefined;
}

/** What the clock of a live session says. */
export function clockOf(session: SessionTimes, now: number): string {
  const { state, scheduledAt, startedAt, endedAt } = session;
  switch (state) {
    case 'UPCOMING': {
      const left = Date.parse(scheduledAt) - now;
      // A host who is late is common, and no reason to count backwards.
      return left > 0 ? `Starts in ${span(left)}` : 'About to start';
    }
    case 'LIVE':
      return startedAt ? `On air for ${span(now - Date.parse(startedAt))}` : 'On air';
    case 'REPLAY': {
      if (!endedAt) return 'Over';
      const length = startedAt ? `, lasted ${span(Date.parse(endedAt) - Date.parse(startedAt))}` : '';
      return `Ended ${span(now - Date.parse(endedAt))} ago${length}`;
    }
  }
}

/** A number for a small place: 950, 1.2K, 38K, 4.5M. */
export function short(count: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(count);
}

/** A number with its word: "1 post", "2 posts". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${short(count)} ${count === 1 ? one : many}`;
}
