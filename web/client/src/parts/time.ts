// The clock of a live session.
import { texts } from '../texts';

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
      return left > 0 ? texts.live.startsIn(left) : texts.live.startsSoon;
    }
    case 'LIVE':
      return startedAt ? texts.live.liveFor(now - Date.parse(startedAt)) : texts.live.liveNow;
    case 'REPLAY': {
      if (!endedAt) return texts.live.ended;
      const since = now - Date.parse(endedAt);
      return startedAt ? texts.live.endedAfter(since, Date.parse(endedAt) - Date.parse(startedAt)) : texts.live.endedAgo(since);
    }
  }
}
