// Changes of the live feed since a page of it was loaded, and the list of the live page.
import { useEffect, useRef } from 'react';
import { graphql, useRelayEnvironment } from 'react-relay';
import { commitLocalUpdate, ConnectionHandler, type IEnvironment, type RecordProxy, type RecordSourceProxy } from 'relay-runtime';

import type { changesLiveSubscription, changesLiveSubscription$data } from '../__generated__/changesLiveSubscription.graphql';
import { useSocket } from '../app/context';
import { Follower } from '../relay/follower';

export type LiveChanges = changesLiveSubscription$data['liveChanges']['changes'];
type Edge = NonNullable<LiveChanges[number]['edge']>;

/**
 * Applies the changes of the live feed since a token while the component is mounted.
 *
 * @param loading whether a page is under way: it may be older than the changes that arrive before it,
 *   so these are received once more after it
 */
export function useLiveChanges(token: string | null, loading: boolean, apply: (changes: LiveChanges) => void): void {
  const environment = useRelayEnvironment();
  const socket = useSocket();
  const latest = useRef(apply);
  useEffect(() => {
    latest.current = apply;
  });
  const follower = useRef<Follower<changesLiveSubscription> | null>(null);
  useEffect(() => {
    if (token === null) return;
    follower.current = new Follower<changesLiveSubscription>(environment, socket, {
      subscription: graphql`
        subscription changesLiveSubscription($since: String!) {
          liveChanges(since: $since) {
            changes {
              kind
              liveSessionId
              edge {
                cursor
                sortKey
                state
                node { id ...LiveCard_session }
              }
            }
            syncToken
          }
        }
      `,
      begin: () => Promise.resolve(token),
      apply: ({ liveChanges: { changes, syncToken } }) => {
        latest.current(changes);
        return syncToken;
      },
    });
    return follower.current.start();
  }, [environment, socket, token]);
  useEffect(() => {
    if (!loading) return;
    const before = follower.current?.since ?? null;
    return () => {
      if (before !== null && before !== follower.current?.since) follower.current?.goOn(before);
    };
  }, [loading]);
}

/** Puts sessions into the list of the live page, which sorts them. */
export function putSessions(environment: IEnvironment, edges: readonly Edge[]): void {
  commitLocalUpdate(environment, (store) => {
    const list = listOf(store);
    if (!list) return;
    for (const { cursor, sortKey, state, node } of edges) {
      const session = store.get(node.id);
      if (!session) continue;
      ConnectionHandler.deleteNode(list, node.id);
      const edge = ConnectionHandler.createEdge(store, list, session, 'LiveEdge');
      edge.setValue(cursor, 'cursor');
      edge.setValue(sortKey, 'sortKey');
      edge.setValue(state, 'state');
      ConnectionHandler.insertEdgeAfter(list, edge);
    }
    list.setValue(new Date().toISOString(), 'snapshotAt');
  });
}

/** Removes sessions from the list of the live page. */
export function removeSessions(environment: IEnvironment, ids: readonly string[]): void {
  commitLocalUpdate(environment, (store) => {
    const list = listOf(store);
    if (list) for (const id of ids) ConnectionHandler.deleteNode(list, id);
  });
}

function listOf(store: RecordSourceProxy): RecordProxy | null | undefined {
  const viewer = store.getRoot().getLinkedRecord('viewer');
  return viewer && ConnectionHandler.getConnection(viewer, 'LivePage_liveFeed');
}
