import { useEffect, useRef, useState } from 'react';
import { fetchQuery, graphql, useLazyLoadQuery, usePaginationFragment, useRelayEnvironment } from 'react-relay';

import type { LivePage_viewer$key } from '../__generated__/LivePage_viewer.graphql';
import type { LivePagePageQuery } from '../__generated__/LivePagePageQuery.graphql';
import type { LivePageQuery } from '../__generated__/LivePageQuery.graphql';
import { Link } from '../app/Link';
import { PageHead } from '../app/PageHead';
import { Icon } from '../parts/Icon';
import { Empty } from '../parts/Trouble';
import { useToasts } from '../parts/Toasts';
import { explain, inOneLine } from '../relay/failure';
import { LiveList } from './LiveList';
import { ScheduleButton } from './ScheduleButton';
import { useFreshStates } from './useFreshStates';

const PAGE = 20;

const liveQuery = graphql`
  query LivePageQuery($first: Int!) {
    viewer { ...LivePage_viewer @arguments(first: $first) }
  }
`;

/** The live sessions of the visitor and of those he follows. */
export default function LivePage({ attempt }: { attempt: number }) {
  const { viewer } = useLazyLoadQuery<LivePageQuery>(liveQuery, { first: PAGE }, { fetchKey: attempt, fetchPolicy: 'store-and-network' });
  return viewer && <Sessions viewer={viewer} />;
}

function Sessions({ viewer }: { viewer: LivePage_viewer$key }) {
  const { data, ...pages } = usePaginationFragment<LivePagePageQuery, LivePage_viewer$key>(
    graphql`
      fragment LivePage_viewer on Viewer
      @refetchable(queryName: "LivePagePageQuery")
      @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }) {
        liveFeed(first: $first, after: $after) @connection(key: "LivePage_liveFeed") {
          snapshotAt
          edges { state node { id state scheduledAt ...LiveCard_session } }
        }
      }
    `,
    viewer,
  );
  const { edges, snapshotAt } = data.liveFeed;
  const moved = edges.some((edge) => edge.node != null && edge.node.state !== edge.state);
  useFreshStates(edges);
  const { refresh, busy } = useRefresh();
  // Nothing below the first screen was looked at yet, so nothing is moved under the eyes.
  const untouched = edges.length <= PAGE && scrollY === 0;
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  useEffect(() => {
    if (moved && untouched) void latest.current();
  }, [moved, untouched]);
  return (
    <>
      <PageHead title="Live">
        <ScheduleButton onScheduled={refresh} />
      </PageHead>
      <div className="live-bar">
        <p role="status">
          {moved ? 'Something has begun or ended since.' : `As of ${new Date(snapshotAt).toLocaleTimeString()}.`}
        </p>
        <button type="button" className={moved ? 'button button-small button-primary' : 'button button-small'} aria-busy={busy} onClick={() => void refresh()}>
          <Icon name="refresh" /> Refresh
        </button>
      </div>
      <LiveList
        edges={edges}
        pages={pages}
        empty={
          <Empty icon="live" title="The air is quiet">
            <p>When people you follow plan a session, it is counted down here.</p>
            <Link className="button button-primary" href="/search">Find people to follow</Link>
          </Empty>
        }
      />
    </>
  );
}

function useRefresh() {
  const environment = useRelayEnvironment();
  const toasts = useToasts();
  const [busy, setBusy] = useState(false);
  const refresh = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await fetchQuery<LivePageQuery>(environment, liveQuery, { first: PAGE }, { fetchPolicy: 'network-only' }).toPromise();
    } catch (error) {
      const why = explain(error);
      toasts.show({ tone: 'bad', title: 'Not refreshed', text: inOneLine(why), requestId: why.requestId, away: why.away });
    } finally {
      setBusy(false);
    }
  };
  return { refresh, busy };
}
