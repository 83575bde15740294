import { graphql, useFragment } from 'react-relay';

import type { LiveCard_session$key } from '../__generated__/LiveCard_session.graphql';
import { Link } from '../app/Link';
import { profileHref } from '../app/routes';
import { Avatar } from '../parts/Avatar';
import { useNow } from '../parts/Clock';
import { Icon } from '../parts/Icon';
import { clockOf } from '../parts/time';
import { useSession } from '../session/session';
import { LiveControls } from './LiveControls';
import { pageTexts } from '../texts/pages';
import { inFull } from '../texts/format';

/** A live session with its state and clock. */
export function LiveCard({ session: key }: { session: LiveCard_session$key }) {
  const live = useFragment(
    graphql`
      fragment LiveCard_session on LiveSession {
        id
        title
        state
        scheduledAt
        startedAt
        endedAt
        replayUrl
        host { databaseId handle name }
      }
    `,
    key,
  );
  const { session } = useSession();
  const own = session.user?.id === live.host.databaseId;
  return (
    <li className={`live live-${live.state.toLowerCase()}`} aria-labelledby={`${live.id}-title`}>
      <Avatar user={live.host} />
      <div className="live-words">
        <p className="live-title" dir="auto" id={`${live.id}-title`}>{live.title}</p>
        <p className="live-host">
          <Link href={profileHref(live.host.handle)} className="quiet-link"><bdi>{live.host.name}</bdi> @{live.host.handle}</Link>
        </p>
        <p className="live-times">
          <span className="badge">{pageTexts.live.badges[live.state]}</span>
          <Clock {...live} />
          {live.replayUrl && (
            <a href={live.replayUrl} target="_blank" rel="noreferrer nofollow" className="live-again">
              <Icon name="play" /> {pageTexts.live.watch}
            </a>
          )}
        </p>
      </div>
      {own && <LiveControls id={live.id} title={live.title} state={live.state} />}
    </li>
  );
}

function Clock(live: Parameters<typeof clockOf>[0]) {
  const now = useNow(live.state === 'REPLAY' ? 'minute' : 'second');
  const moment = live.state === 'UPCOMING' ? live.scheduledAt : live.state === 'LIVE' ? live.startedAt : live.endedAt;
  return (
    <time className="live-clock" {...(moment && { dateTime: moment, title: inFull(moment) })}>{clockOf(live, now)}</time>
  );
}
