import { useEffect, useMemo, useRef, useState } from 'react';
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
import { bySortKey } from '../relay/order';
import { putSessions, removeSessions, useLiveChanges } from './changes';
import { LiveList } from './LiveList';
import { ScheduleButton } from './ScheduleButton';
import { texts } from '../texts';
import { pageTexts } from '../texts/pages';

const PAGE = 20;

const liveQuery = graphql`
  query LivePageQuery($first: Int!) {
    viewer {
      liveFeed(first: $first) { syncToken }
      ...LivePage_viewer @arguments(first: $first)
    }
  }
`;

/** The live sessions of the viewer and of users they follow. */
export default function LivePage({ attempt }: { attempt: number }) {
  const { viewer } = useLazyLoadQuery<LivePageQuery>(liveQuery, { first: PAGE }, { fetchKey: attempt, fetchPolicy: 'store-and-network' });
  return viewer && <Sessions viewer={viewer} token={viewer.liveFeed.syncToken ?? null} />;
}

function Sessions({ viewer, token }: { viewer: LivePage_viewer$key; token: string | null }) {
  const { data, ...pages } = usePaginationFragment<LivePagePageQuery, LivePage_viewer$key>(
    graphql`
      fragment LivePage_viewer on Viewer
      @refetchable(queryName: "LivePagePageQuery")
      @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }) {
        liveFeed(first: $first, after: $after) @connection(key: "LivePage_liveFeed") {
          snapshotAt
          edges { cursor sortKey state node { id ...LiveCard_session } }
        }
      }
    `,
    viewer,
  );
  const { edges, snapshotAt } = data.liveFeed;
  const sorted = useMemo(() => edges.filter((edge) => edge.node != null).sort(bySortKey), [edges]);
  const { refresh, busy } = useRefresh();
  const behind = useChanges({ edges: sorted, token, loading: pages.isLoadingNext, refresh });
  return (
    <>
      <PageHead title={pageTexts.live.title}>
        <ScheduleButton onScheduled={refresh} />
      </PageHead>
      <div className="live-bar">
        <p role="status">
          {behind ? pageTexts.live.changed : pageTexts.live.asOf(snapshotAt)}
        </p>
        <button type="button" className={behind ? 'button button-small button-primary' : 'button button-small'} aria-busy={busy} onClick={() => void refresh()}>
          <Icon name="refresh" /> {pageTexts.live.refresh}
        </button>
      </div>
      <LiveList
        edges={sorted}
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

interface Listed {
  edges: readonly { sortKey: string; node: { id: string } }[];
  token: string | null;
  loading: boolean;
  refresh(): Promise<void>;
}

// Applies changes to the list. It returns whether sessions wait for a refresh, because they would
// move a list that the visitor has scrolled.
function useChanges({ edges, token, loading, refresh }: Listed): boolean {
  const environment = useRelayEnvironment();
  // The token of the page that lacks sessions; a refresh brings another one.
  const [lacking, setLacking] = useState<string | null>(null);
  const behind = lacking !== null && lacking === token;
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  useLiveChanges(token, loading, (changes) => {
    if (changes.some(({ kind }) => kind === 'RESET')) {
      setLacking(token);
      if (scrollY > 0) void latest.current();
      return;
    }
    removeSessions(environment, changes.flatMap(({ kind, liveSessionId }) => (kind === 'REMOVED' && liveSessionId ? [liveSessionId] : [])));
    const moved = changes.flatMap(({ edge }) => (edge && !edges.some((known) => known.node.id === edge.node.id && bySortKey(known, edge) === 0) ? [edge] : []));
    if (!moved.length) return;
    if (scrollY > 0) setLacking(token);
    else putSessions(environment, moved);
  });
  useEffect(() => {
    if (!behind) return;
    const atTop = () => {
      if (scrollY === 0) void latest.current();
    };
    atTop();
    addEventListener('scroll', atTop);
    return () => removeEventListener('scroll', atTop);
  }, [behind]);
  return behind;
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
