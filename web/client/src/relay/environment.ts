// The Relay environment of one user or of the anonymous visitor.
import { Environment, RecordSource, Store } from 'relay-runtime';

import { createNetwork, type Visitor } from './network';
import type { Socket } from './socket';
import type { Connection } from './status';

/** The number of left pages whose data is kept for going back. */
const PAGES_KEPT = 20;

/** Creates an environment with an empty store, so that users do not share data. */
export function createEnvironment(connection: Connection, socket: Socket, visitor: Visitor): Environment {
  return new Environment({
    network: createNetwork('/graphql', connection, socket, visitor),
    store: new Store(new RecordSource(), { gcReleaseBufferSize: PAGES_KEPT }),
  });
}
