// Finds out which answers may be older than a change, and reads those queries again.
import { fetchQuery, type GraphQLTaggedNode, type IEnvironment, type OperationType } from 'relay-runtime';

/** What is counted in one environment. */
interface Reads {
  /** How many mutations the server has answered. */
  changes: number;
  /** By request identifier, how many there were when the read began. */
  begun: Map<string, number>;
}

const byEnvironment = new WeakMap<IEnvironment, Reads>();

function readsOf(environment: IEnvironment): Reads {
  let reads = byEnvironment.get(environment);
  if (!reads) byEnvironment.set(environment, (reads = { changes: 0, begun: new Map() }));
  return reads;
}

/** Notes that the server has answered a mutation. */
export function noteChange(environment: IEnvironment): void {
  readsOf(environment).changes++;
}

/** Notes that a query is read from now on, unless that is noted already. */
export function beginRead(environment: IEnvironment, identifier: string): void {
  const { begun, changes } = readsOf(environment);
  if (!begun.has(identifier)) begun.set(identifier, changes);
}

/** Reports whether a mutation was answered since the read began: then its answer may lack the change. */
export function isOutdated(environment: IEnvironment, identifier: string): boolean {
  const { begun, changes } = readsOf(environment);
  return (begun.get(identifier) ?? changes) < changes;
}

/** Forgets when a read began. */
export function forgetRead(environment: IEnvironment, identifier: string): void {
  readsOf(environment).begun.delete(identifier);
}

/**
 * Sends a query whose answer has all changes up to now. Relay lets a request join an equal one
 * that is under way, so the query is sent once more after that one. Errors are ignored.
 */
export async function readAfresh<Q extends OperationType>(
  environment: IEnvironment, identifier: string, query: GraphQLTaggedNode, variables: Q['variables'],
): Promise<void> {
  const underWay = environment.isRequestActive(identifier);
  const read = () =>
    new Promise<void>((resolve) => {
      fetchQuery<Q>(environment, query, variables, { fetchPolicy: 'network-only' }).subscribe({ complete: resolve, error: () => resolve() });
    });
  await read();
  if (underWay) await read();
}
