import { useEffect, useRef, useState, type RefObject } from 'react';
import { commitLocalUpdate, fetchQuery, graphql, useRelayEnvironment } from 'react-relay';
import { getRequest, type IEnvironment } from 'relay-runtime';

import type { ReadingAboveQuery } from '../__generated__/ReadingAboveQuery.graphql';
import type { ReadingPositionQuery } from '../__generated__/ReadingPositionQuery.graphql';
import { useConnection, useNews } from '../app/context';
import { useShortcut } from '../app/shortcuts';
import type { WindowListHandle } from '../parts/WindowList';
import { homeConnection } from '../post/PostMutations';
import type { Line } from './PostFeed';
import { nextStop, type Position, type Stop } from './stop';
import { readingTexts } from '../texts/reading';

/** Time in ms without scrolling after which what is on the screen counts as read. */
const STILL = 2_000;

const MARK = graphql`
  mutation ReadingMarkMutation($input: MarkHomeReadInput!) {
    markHomeRead(input: $input) { userErrors { code } }
  }
`;

interface Edge {
  cursor: string;
  sortKey: string;
  node: { id: string };
}

interface Props {
  /** The entries on the screen. */
  edges: readonly Edge[];
  /** Whether newer posts wait or are not loaded. */
  incomplete: boolean;
  list: RefObject<WindowListHandle | null>;
  /** Shows a line between the entries; null for none. */
  show(line: Line | null): void;
}

/** The way back to where the visitor has stopped reading, on any device. Stores where they stop. */
export default function Reading({ edges, incomplete, list, show }: Props) {
  const environment = useRelayEnvironment();
  const stop = useStop(environment);
  const at = stop?.above ? edges.findIndex(({ sortKey }) => stop.above! < sortKey) : -1;
  const { far, restart } = useMarks(stop, { edges, incomplete, at });
  const count = stop?.unread ? readingTexts.unread(stop.unread) : '';
  const before = edges[at]?.node.id;
  useEffect(() => show(before ? { before, text: readingTexts.stoppedHere(count) } : null), [show, before, count]);
  const [leads, setLeads] = useState(false);
  useEffect(() => {
    if (!leads || !before) return;
    list.current?.to(before);
    setLeads(false);
  }, [leads, before, list]);
  const back = () => {
    if (!stop?.above) return;
    restart();
    if (!before) beginAt(environment, stop.cursor!);
    setLeads(true);
  };
  useShortcut('u', back);
  return (
    <div role="status">
      {far && (
        <p className="stop"><button type="button" className="text-button" onClick={back}>{readingTexts.back(count)}</button></p>
      )}
    </div>
  );
}

interface Found extends Stop {
  /** No number if the server cannot count. */
  unread: number | null | undefined;
}

// Loads the stored position; null until then.
function useStop(environment: IEnvironment): Found | null {
  const [stop, setStop] = useState<Found | null>(null);
  useEffect(() => {
    let over = false;
    load(environment).then((found) => over || setStop(found), () => undefined);
    return () => {
      over = true;
    };
  }, [environment]);
  return stop;
}

async function load(environment: IEnvironment): Promise<Found> {
  const fresh = { fetchPolicy: 'network-only' } as const;
  const stored = await fetchQuery<ReadingPositionQuery>(
    environment, graphql`query ReadingPositionQuery { viewer { readPosition { cursor syncToken unread } } }`, {}, fresh,
  ).toPromise();
  const read = stored?.viewer?.readPosition;
  if (!read) return { cursor: null, syncToken: null, above: null, unread: 0 };
  if (read.unread === 0) return { ...read, above: null };
  const next = await fetchQuery<ReadingAboveQuery>(
    environment,
    graphql`
      query ReadingAboveQuery($cursor: String!) {
        viewer { homeFeed(before: $cursor, last: 1) { edges { sortKey } } }
      }
    `,
    { cursor: read.cursor },
    fresh,
  ).toPromise();
  return { ...read, above: next?.viewer?.homeFeed.edges[0]?.sortKey ?? null };
}

// Begins the list below a cursor. It loads itself in both directions.
function beginAt(environment: IEnvironment, cursor: string): void {
  commitLocalUpdate(environment, (store) => {
    const list = homeConnection(store);
    const page = list?.getLinkedRecord('pageInfo');
    list?.setLinkedRecords([], 'edges');
    for (const end of ['startCursor', 'endCursor']) page?.setValue(cursor, end);
    for (const more of ['hasPreviousPage', 'hasNextPage']) page?.setValue(true, more);
  });
}

interface Shown {
  edges: readonly Edge[];
  incomplete: boolean;
  /** The entry at which the visitor had stopped; -1 if it is not loaded. */
  at: number;
}

// Stores where the visitor stops: when they pause, and when they leave the page. Returns whether the
// entry at which they had stopped is still to be scrolled to, and what forgets the entries that they
// have seen.
function useMarks(stop: Stop | null, shown: Shown): { far: boolean; restart(): void } {
  const news = useNews();
  const { status } = useConnection();
  const [far, setFar] = useState(false);
  const joined = useRef(false);
  const last = useRef(stop);
  const newest = useRef<Edge | null>(null);
  // The token of the list when nothing newer waited.
  const whole = useRef<string | null>(null);
  // Returns whether nothing between the entries on the screen and the last position is unread.
  const see = () => {
    const seen = inSight(shown.edges);
    const [first] = seen;
    if (first && !(newest.current && newest.current.sortKey <= first.sortKey)) newest.current = first;
    return last.current?.above === null || seen.some((edge) => edge === shown.edges[shown.at]);
  };
  const look = (leaves: boolean) => {
    if (!leaves && see()) joined.current = true;
    if (joined.current) setFar(false);
    if (!last.current || !newest.current) return;
    const token = newest.current.cursor === shown.edges[0]?.cursor ? whole.current : null;
    const next = nextStop(last.current, { newest: newest.current, joined: joined.current, token });
    const moved = next.cursor !== last.current.cursor || (leaves && next.syncToken !== last.current.syncToken);
    const { reachable, limitedUntil } = status.get();
    if (!moved || !reachable || limitedUntil > Date.now()) return;
    last.current = next;
    send(next);
  };
  const latest = useRef(look);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    latest.current = look;
    if (!last.current && stop) {
      last.current = stop;
      setFar(!see()); // visitors may scroll down at once
    }
    if (!shown.incomplete) whole.current = news?.since ?? null;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(false), STILL);
  });
  useEffect(() => {
    const moved = () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => latest.current(false), STILL);
    };
    const left = () => document.hidden && latest.current(true);
    addEventListener('scroll', moved, { passive: true });
    document.addEventListener('visibilitychange', left);
    return () => {
      removeEventListener('scroll', moved);
      document.removeEventListener('visibilitychange', left);
      clearTimeout(timer.current);
      latest.current(true);
    };
  }, []);
  return {
    far,
    restart: () => {
      newest.current = null;
      whole.current = null;
    },
  };
}

function inSight(edges: readonly Edge[]): Edge[] {
  const items = [...document.querySelectorAll<HTMLElement>('.window-item')];
  const seen = items.filter((item) => {
    const { top, bottom } = item.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
  const keys = new Set(seen.map((item) => item.dataset['key']));
  // The server has not placed the visitor's own new posts yet.
  return edges.filter(({ cursor, node }) => cursor && keys.has(node.id));
}

// A hidden page may close. A position that is lost is stored by the next visit.
function send({ cursor, syncToken }: Position): void {
  const body = JSON.stringify({ query: getRequest(MARK).params.text, variables: { input: { cursor, syncToken } } });
  fetch('/graphql', { method: 'POST', keepalive: document.hidden, headers: { 'Content-Type': 'application/json' }, body }).catch(() => undefined);
}
