import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { fetchQuery, graphql, usePaginationFragment, useRelayEnvironment, type LoadMoreFn } from 'react-relay';

import type { homeQuery as HomeQuery } from '../__generated__/homeQuery.graphql';
import type { HomeTimeline_viewer$key } from '../__generated__/HomeTimeline_viewer.graphql';
import type { HomeTimelinePageQuery } from '../__generated__/HomeTimelinePageQuery.graphql';
import { useNews } from '../app/context';
import { Link } from '../app/Link';
import { useShortcut } from '../app/shortcuts';
import { Empty } from '../parts/Trouble';
import { useToasts } from '../parts/Toasts';
import type { WindowListHandle } from '../parts/WindowList';
import { explain, inOneLine } from '../relay/failure';
import { homeQuery } from './homeQuery';
import { NewPostsPill } from './NewPostsPill';
import { COUNTED_AT_MOST } from './placement';
import { PAGE, PostFeed } from './PostFeed';
import { useArrivals } from './useArrivals';
import { useBookmark } from './useBookmark';

/** More than that is not put in above what is on the screen: the feed begins anew. */
const PUT_IN_AT_MOST = 60;

/** The home feed: down to its end, up to what was published this moment. */
export function HomeTimeline({ viewer }: { viewer: HomeTimeline_viewer$key }) {
  const pages = usePaginationFragment<HomeTimelinePageQuery, HomeTimeline_viewer$key>(
    graphql`
      fragment HomeTimeline_viewer on Viewer
      @refetchable(queryName: "HomeTimelinePageQuery")
      @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }, last: { type: "Int" }, before: { type: "String" }) {
        homeFeed(first: $first, after: $after, last: $last, before: $before) @connection(key: "HomeTimeline_homeFeed") {
          edges {
            cursor
            node { id databaseId publishedAt ...PostCard_post }
          }
          pageInfo { startCursor hasPreviousPage }
        }
      }
    `,
    viewer,
  );
  const { edges: all, pageInfo } = pages.data.homeFeed;
  // What was deleted on this page leaves its edge behind.
  const edges = useMemo(() => all.filter((edge) => edge.node != null), [all]);
  const list = useRef<WindowListHandle>(null);
  const waiting = useArrivals(edges, pageInfo.startCursor ?? null, pageInfo.hasPreviousPage);
  const { line, toNewest, busy } = useNewest({ pages, pageInfo, list, first: edges[0]?.node.id ?? null, missing: waiting.count });
  useBookmark(edges);
  useShortcut('.', toNewest);
  useShortcut('j', () => list.current?.move(1));
  useShortcut('k', () => list.current?.move(-1));

  const { loadPrevious, isLoadingPrevious } = pages;
  const [stuck, setStuck] = useState(false);
  const loadAbove = useCallback(() => {
    // What fails above is not tried again by scrolling; the button on top goes on.
    if (isLoadingPrevious || stuck) return;
    loadPrevious(PAGE, { onComplete: (error) => setStuck(error !== null) });
  }, [loadPrevious, isLoadingPrevious, stuck]);
  return (
    <>
      <NewPostsPill count={waiting.count} authors={waiting.authors} busy={busy} onClick={toNewest} />
      <PostFeed
        ref={list}
        label="Home feed"
        edges={edges}
        hasNext={pages.hasNext}
        loadNext={pages.loadNext}
        loadingNext={pages.isLoadingNext}
        above={{ more: pageInfo.hasPreviousPage, loading: isLoadingPrevious, load: loadAbove }}
        line={line ? { before: line, text: 'New down to here' } : null}
        end="You have reached the shore. There is nothing older."
        empty={
          <Empty icon="home" title="Your feed is calm">
            <p>It fills with the posts of people you follow.</p>
            <Link className="button button-primary" href="/search">Find people to follow</Link>
          </Empty>
        }
      />
    </>
  );
}

interface Newest {
  pages: { loadPrevious: LoadMoreFn<HomeTimelinePageQuery>; isLoadingPrevious: boolean };
  pageInfo: { startCursor: string | null | undefined; hasPreviousPage: boolean };
  list: RefObject<WindowListHandle | null>;
  /** The entry on top, and how many are missing above it. */
  first: string | null;
  missing: number;
}

// Goes to the newest contents: by putting in what is missing above, when that is little,
// and by reading the feed anew from the top when it is more.
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
      else await fetchQuery<HomeQuery>(environment, homeQuery, { first: PAGE, after: null }, { fetchPolicy: 'network-only' }).toPromise();
      news?.read(announced);
      if (missing > 0) setLine(first);
      list.current?.toTop();
    } catch (error) {
      const why = explain(error);
      const { requestId, away } = why;
      toasts.show({ tone: 'bad', title: 'The new posts are not shown', text: inOneLine(why), requestId, away, action: { label: 'Try again', run: () => void toNewest() } });
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
