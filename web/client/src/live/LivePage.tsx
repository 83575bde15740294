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
import { texts } from '../texts';
import { pageTexts } from '../texts/pages';

const PAGE = 20;

const liveQuery = graphql`
  query LivePageQuery($first: Int!) {
    viewer { ...LivePage_viewer @arguments(first: $first) }
  }
`;

/** The live sessions of the viewer and of users they follow. */
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
  // The visitor has not scrolled yet, so a refresh moves nothing they are reading.
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
      <PageHead title={pageTexts.live.title}>
        <ScheduleButton onScheduled={refresh} />
      </PageHead>
      <div className="live-bar">
        <p role="status">
          {moved ? pageTexts.live.changed : pageTexts.live.asOf(snapshotAt)}
        </p>
        <button type="button" className={moved ? 'button button-small button-primary' : 'button button-small'} aria-busy={busy} onClick={() => void refresh()}>
          <Icon name="refresh" /> {pageTexts.live.refresh}
        </button>
      </div>
      <LiveList
        edges={edges}
        pages={pages}
        empty={
          <Empty icon="live" title={pageTexts.live.empty}>
            <p>{pageTexts.live.emptyHint}</p>
            <Link className="button button-primary" href="/search">{texts.app.findPeople}</Link>
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
      toasts.show({ tone: 'bad', title: pageTexts.live.refreshFailed, text: inOneLine(why), requestId: why.requestId, away: why.away });
    } finally {
      setBusy(false);
    }
  };
  return { refresh, busy };
}
