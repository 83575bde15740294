// The Relay environment of one signed-in user, or of nobody.
import { Environment, RecordSource, Store } from 'relay-runtime';

import { createNetwork, type Visitor } from './network';
import type { Socket } from './socket';
import type { Connection } from './status';

/** Pages whose data is kept when they are left, so that going back is at once. */
const PAGES_KEPT = 20;

/** Makes an environment with an empty store: what one user may see is not the next one's. */
export function createEnvironment(connection: Connection, socket: Socket, visitor: Visitor): Environment {
  return new Environment({
    network: createNetwork('/graphql', connection, socket, visitor),
    store: new Store(new RecordSource(), { gcReleaseBufferSize: PAGES_KEPT }),
  });
}
