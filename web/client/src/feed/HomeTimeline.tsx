import { Suspense, useCallback, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { fetchQuery, graphql, usePaginationFragment, useRelayEnvironment, type LoadMoreFn } from 'react-relay';

import type { HomeTimeline_viewer$key } from '../__generated__/HomeTimeline_viewer.graphql';
import homeQuery, { type HomeTimelinePageQuery } from '../__generated__/HomeTimelinePageQuery.graphql';
import { useNews } from '../app/context';
import { Reading } from '../app/pages';
import { useShortcut } from '../app/shortcuts';
import { Optional } from '../parts/Optional';
import { useToasts } from '../parts/Toasts';
import type { WindowListHandle } from '../parts/WindowList';
import { explain, inOneLine } from '../relay/failure';
import { NewPostsPill } from './NewPostsPill';
import { COUNTED_AT_MOST, PAGE } from './placement';
import { PostFeed, type Line } from './PostFeed';
import { useArrivals } from './useArrivals';
import { useBookmark } from './useBookmark';
import { texts } from '../texts';

/** With more new posts than this, the feed reloads from the top. */
const PUT_IN_AT_MOST = 60;

/** What a home feed is called, and what it shows without posts. */
export interface Named {
  title: string;
  label: string;
  empty: ReactNode;
  /** Whether it has the reading position, which is that of the feed without a filter. */
  marked?: boolean;
}

/** A home feed, in both directions. */
export function HomeTimeline({ viewer, title, label, empty, marked }: Named & { viewer: HomeTimeline_viewer$key }) {
  const pages = usePaginationFragment<HomeTimelinePageQuery, HomeTimeline_viewer$key>(
    graphql`
      fragment HomeTimeline_viewer on Viewer
      @refetchable(queryName: "HomeTimelinePageQuery")
      @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }, last: { type: "Int" }, before: { type: "String" }, special: { type: "Boolean" }, filter: { type: "FeedFilter" }) {
        homeFeed(first: $first, after: $after, last: $last, before: $before, special: $special, filter: $filter) @connection(key: "HomeTimeline_homeFeed") {
          edges {
            cursor
            sortKey
            node { id publishedAt ...PostCard_post }
          }
          pageInfo { startCursor hasPreviousPage }
          syncToken
        }
      }
    `,
    viewer,
  );
  const { edges: all, pageInfo } = pages.data.homeFeed;
  // A post that was deleted on this page leaves an edge without node.
  const edges = useMemo(() => all.filter((edge) => edge.node != null), [all]);
  const list = useRef<WindowListHandle>(null);
  const waiting = useArrivals(edges, pageInfo.startCursor ?? null, pageInfo.hasPreviousPage);
  const { line, toNewest, busy } = useNewest({ pages, pageInfo, list, first: edges[0]?.node.id ?? null, missing: waiting.count });
  const [stopped, setStopped] = useState<Line | null>(null);
  useBookmark(edges);
  useShortcut('.', toNewest);

  const { loadPrevious, isLoadingPrevious } = pages;
  const [stuck, setStuck] = useState(false);
  const loadAbove = useCallback(() => {
    // After a failure, scrolling does not retry; the button does.
    if (isLoadingPrevious || stuck) return;
    loadPrevious(PAGE, { onComplete: (error) => setStuck(error !== null) });
  }, [loadPrevious, isLoadingPrevious, stuck]);
  return (
    <>
      <NewPostsPill title={title} count={waiting.count} authors={waiting.authors} busy={busy} onClick={toNewest} />
      {marked && (
        <Optional>
          <Suspense>
            <Reading edges={edges} incomplete={pageInfo.hasPreviousPage || waiting.count > 0} list={list} show={setStopped} />
          </Suspense>
        </Optional>
      )}
      <PostFeed
        ref={list}
        label={label}
        edges={edges}
        hasNext={pages.hasNext}
        loadNext={pages.loadNext}
        loadingNext={pages.isLoadingNext}
        above={{ more: pageInfo.hasPreviousPage, loading: isLoadingPrevious, load: loadAbove }}
        lines={[line ? { before: line, text: texts.home.newEndsHere } : null, stopped]}
        end={texts.home.end}
        empty={empty}
      />
    </>
  );
}

interface Newest {
  pages: { loadPrevious: LoadMoreFn<HomeTimelinePageQuery>; isLoadingPrevious: boolean };
  pageInfo: { startCursor: string | null | undefined; hasPreviousPage: boolean };
  list: RefObject<WindowListHandle | null>;
  /** The top entry, and the number of posts above it. */
  first: string | null;
  missing: number;
}

// Goes to the newest posts. It inserts a few missing posts above the list, and reloads the feed
// from the top if there are more.
function useNewest({ pages, pageInfo, list, first, missing }: Newest) {
  const environment = useRelayEnvironment();
  const news = useNews();
  const toasts = useToasts();
  const [line, setLine] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { loadPrevious, isLoadingPrevious } = pages;
  const { hasPreviousPage, startCursor } = pageInfo;
  const toNewest = async () => {
    if (busy) return;
    setBusy(true);
    const announced = news?.announced() ?? [];
    try {
      const little = startCursor && !hasPreviousPage && !isLoadingPrevious && missing <= PUT_IN_AT_MOST;
      if (little) await new Promise<void>((done, fail) => loadPrevious(COUNTED_AT_MOST, { onComplete: (error) => (error ? fail(error) : done()) }));
      else await fetchQuery<HomeTimelinePageQuery>(environment, homeQuery, { ...news?.feed, first: PAGE }, { fetchPolicy: 'network-only' }).toPromise();
      news?.read(announced);
      if (missing > 0) setLine(first);
      list.current?.toTop();
    } catch (error) {
      const why = explain(error);
      const { requestId, away } = why;
      toasts.show({ tone: 'bad', title: texts.home.newFailed, text: inOneLine(why), requestId, away, action: { label: texts.messages.tryAgain, run: () => void toNewest() } });
    } finally {
      setBusy(false);
    }
  };
  const latest = useRef(toNewest);
  useEffect(() => {
    latest.current = toNewest;
  });
  return { line, busy, toNewest: useCallback(() => void latest.current(), []) };
}
