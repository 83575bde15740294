import { useEffect, useRef } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';

import type { useFreshStatesQuery } from '../__generated__/useFreshStatesQuery.graphql';

/** How often the server is asked what the sessions on the screen are now, in ms. */
const EVERY = 10_000;
/** As many as one request may ask for. */
const AT_MOST = 100;

/**
 * Keeps the states of sessions on the screen fresh, while somebody looks. They change where
 * they stand: the order is that of the list's moment until the list is read anew.
 */
export function useFreshStates(edges: readonly { node: { id: string; state: string } }[]): void {
  const environment = useRelayEnvironment();
  // What is over does not change any more.
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
        // The page says by itself when the server does not answer.
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
