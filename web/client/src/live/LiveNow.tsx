import { Suspense } from 'react';
import { graphql } from 'react-relay';

import type { LiveNowQuery } from '../__generated__/LiveNowQuery.graphql';
import { Link } from '../app/Link';
import { Avatar } from '../parts/Avatar';
import { useNow } from '../parts/Clock';
import { Optional } from '../parts/Optional';
import { clockOf } from '../parts/time';
import { useReadAgain } from '../relay/useReadAgain';
import { useFreshStates } from './useFreshStates';
import { texts } from '../texts';

const AT_MOST = 4;

interface Host {
  id: string;
  viewerFollows: boolean;
  viewerMutes: boolean;
  viewerBlocks: boolean;
}

/** The next live sessions, in the sidebar; nothing if they cannot be loaded. */
export function LiveNow() {
  return <Optional><Suspense><Sessions /></Suspense></Optional>;
}

const nowQuery = graphql`
  query LiveNowQuery($first: Int!) {
    viewer {
      __id
      user { id }
      liveFeed(first: $first) {
        nodes { id title state scheduledAt startedAt endedAt host { id databaseId name handle viewerFollows viewerMutes viewerBlocks } }
      }
    }
  }
`;

function Sessions() {
  // Filter removed hosts at once; only the server knows which sessions replace theirs.
  const { viewer } = useReadAgain<LiveNowQuery>(nowQuery, { first: AT_MOST }, (data) => data.viewer?.__id);
  const isListed = (host: Host) => host.id === viewer?.user.id || (host.viewerFollows && !host.viewerMutes && !host.viewerBlocks);
  const now = useNow('second');
  useFreshStates((viewer?.liveFeed.nodes ?? []).map((node) => ({ node })));
  const sessions = viewer?.liveFeed.nodes.filter(({ state, host }) => state !== 'REPLAY' && isListed(host)) ?? [];
  if (!sessions.length) return null;
  return (
    <section className="card live-now" aria-labelledby="live-now-title">
      <h2 id="live-now-title">{texts.live.asideTitle}</h2>
      <ul>
        {sessions.map((session) => (
          <li key={session.id} className={`live-small live-${session.state.toLowerCase()}`}>
            <Avatar user={session.host} size="small" />
            <span className="live-words">
              <span className="live-title" dir="auto">{session.title}</span>
              <span className="live-clock"><bdi>{session.host.name}</bdi></span>
              <span className="live-clock">{clockOf(session, now)}</span>
            </span>
          </li>
        ))}
      </ul>
      <Link href="/live" className="card-more">{texts.live.all}</Link>
    </section>
  );
}
