// Detects responses that may be older than a mutation, and loads those queries again.
import { fetchQuery, type GraphQLTaggedNode, type IEnvironment, type OperationType } from 'relay-runtime';

/** The counters of one environment. */
interface Reads {
  /** The number of completed mutations. */
  changes: number;
  /** By request identifier, the number of mutations when the read began. */
  begun: Map<string, number>;
}

const byEnvironment = new WeakMap<IEnvironment, Reads>();

function readsOf(environment: IEnvironment): Reads {
  let reads = byEnvironment.get(environment);
  if (!reads) byEnvironment.set(environment, (reads = { changes: 0, begun: new Map() }));
  return reads;
}

/** Records a completed mutation. */
export function noteChange(environment: IEnvironment): void {
  readsOf(environment).changes++;
}

/** Records the begin of a read, unless it is recorded already. */
export function beginRead(environment: IEnvironment, identifier: string): void {
  const { begun, changes } = readsOf(environment);
  if (!begun.has(identifier)) begun.set(identifier, changes);
}

/** Reports whether a mutation completed since the read began, so that the response may lack it. */
export function isOutdated(environment: IEnvironment, identifier: string): boolean {
  const { begun, changes } = readsOf(environment);
  return (begun.get(identifier) ?? changes) < changes;
}

/** Removes the record of a read. */
export function forgetRead(environment: IEnvironment, identifier: string): void {
  readsOf(environment).begun.delete(identifier);
}

/**
 * Sends a query whose response has all changes up to now. Relay joins an equal active request,
 * so the query is sent again after that one. Errors are ignored.
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
