import { graphql } from 'react-relay';

import type { LiveNowQuery } from '../__generated__/LiveNowQuery.graphql';
import { Link } from '../app/Link';
import { Avatar } from '../parts/Avatar';
import { useNow } from '../parts/Clock';
import { clockOf } from '../parts/time';
import { useReadAgain } from '../relay/useReadAgain';
import { useLiveChanges } from './changes';
import { changesFirst } from './place';
import { pageTexts } from '../texts/pages';

const AT_MOST = 4;

interface Host {
  id: string;
  viewerFollows: boolean;
  viewerMutes: boolean;
  viewerBlocks: boolean;
}

const nowQuery = graphql`
  query LiveNowQuery($first: Int!) {
    viewer {
      __id
      user { id }
      liveFeed(first: $first) {
        edges {
          sortKey
          node { id title state scheduledAt startedAt endedAt host { id databaseId name handle viewerFollows viewerMutes viewerBlocks } }
        }
        syncToken
      }
    }
  }
`;

/** The next live sessions, in the sidebar. */
export default function LiveNow() {
  // Filter removed hosts at once; only the server knows which sessions replace theirs.
  const [{ viewer }, readAgain] = useReadAgain<LiveNowQuery>(nowQuery, { first: AT_MOST }, (data) => data.viewer?.__id);
  const isListed = (host: Host) => host.id === viewer?.user.id || (host.viewerFollows && !host.viewerMutes && !host.viewerBlocks);
  const now = useNow('second');
  const edges = viewer?.liveFeed.edges.filter(({ node }) => node != null) ?? [];
  useLiveChanges(viewer?.liveFeed.syncToken ?? null, false, (changes) => {
    if (changesFirst(edges, AT_MOST, changes)) readAgain();
  });
  const sessions = edges.map(({ node }) => node).filter(({ state, host }) => state !== 'REPLAY' && isListed(host));
  if (!sessions.length) return null;
  return (
    <section className="card live-now" aria-labelledby="live-now-title">
      <h2 id="live-now-title">{pageTexts.live.asideTitle}</h2>
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
      <Link href="/live" className="card-more">{pageTexts.live.all}</Link>
    </section>
  );
}
