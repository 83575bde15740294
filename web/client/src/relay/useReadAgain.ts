// Reads what stands on the screen again when a change has made it old.
import { useCallback } from 'react';
import { fetchQuery, useRelayEnvironment, useSubscribeToInvalidationState } from 'react-relay';
import type { GraphQLTaggedNode, OperationType } from 'relay-runtime';

/**
 * Reads a query again whenever a record is invalidated. What is shown stays until the answer
 * is there, and after one that fails: the page says by itself when the server is away.
 */
export function useReadAgain<Q extends OperationType>(record: string | undefined, query: GraphQLTaggedNode, variables: Q['variables']): void {
  const environment = useRelayEnvironment();
  const asText = JSON.stringify(variables);
  const read = useCallback(() => {
    fetchQuery<Q>(environment, query, JSON.parse(asText) as Q['variables'], { fetchPolicy: 'network-only' }).subscribe({ error: () => undefined });
  }, [environment, query, asText]);
  useSubscribeToInvalidationState(record ? [record] : [], read);
}
