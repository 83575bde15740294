import { useEffect, useRef } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';

import type { useFreshStatesQuery } from '../__generated__/useFreshStatesQuery.graphql';

/** Interval in ms between updates of the sessions on the screen. */
const EVERY = 10_000;
/** The maximum number of ids per request. */
const AT_MOST = 100;

/** Updates the states of sessions on the screen, in place, while the page is visible. */
export function useFreshStates(edges: readonly { node: { id: string; state: string } }[]): void {
  const environment = useRelayEnvironment();
  // Replays no longer change.
  const changing = edges.filter(({ node }) => node != null && node.state !== 'REPLAY').map(({ node }) => node.id);
  const ids = useRef(changing);
  useEffect(() => {
    ids.current = changing.slice(0, AT_MOST);
  });
  useEffect(() => {
    const ask = () => {
      if (document.hidden || !ids.current.length) return;
      fetchQuery<useFreshStatesQuery>(
        environment,
        graphql`
          query useFreshStatesQuery($ids: [ID!]!) {
            nodes(ids: $ids) { ... on LiveSession @alias(as: "session") { id ...LiveCard_session } }
          }
        `,
        { ids: ids.current },
        { fetchPolicy: 'network-only' },
        // The status bar shows an unreachable server.
      ).subscribe({ error: () => undefined });
    };
    const interval = setInterval(ask, EVERY);
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearInterval(interval);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [environment]);
}
