// The clock of a live session.
import { pageTexts } from '../texts/pages';

export interface SessionTimes {
  state: 'UPCOMING' | 'LIVE' | 'REPLAY';
  scheduledAt: string;
  startedAt: string | null | undefined;
  endedAt: string | null | undefined;
}

/** Returns the text of the clock. */
export function clockOf(session: SessionTimes, now: number): string {
  const { state, scheduledAt, startedAt, endedAt } = session;
  switch (state) {
    case 'UPCOMING': {
      const left = Date.parse(scheduledAt) - now;
      return left > 0 ? pageTexts.live.startsIn(left) : pageTexts.live.startsSoon;
    }
    case 'LIVE':
      return startedAt ? pageTexts.live.liveFor(now - Date.parse(startedAt)) : pageTexts.live.liveNow;
    case 'REPLAY': {
      if (!endedAt) return pageTexts.live.ended;
      const since = now - Date.parse(endedAt);
      return startedAt ? pageTexts.live.endedAfter(since, Date.parse(endedAt) - Date.parse(startedAt)) : pageTexts.live.endedAgo(since);
    }
  }
}
