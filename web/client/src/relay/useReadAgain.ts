// Reads what is on the screen again when a change has made it old.
import { useCallback, useEffect, useMemo } from 'react';
import { useLazyLoadQuery, useRelayEnvironment, useSubscribeToInvalidationState } from 'react-relay';
import { createOperationDescriptor, getRequest, type FetchPolicy, type GraphQLTaggedNode, type OperationType } from 'relay-runtime';

import { beginRead, forgetRead, isOutdated, readAfresh } from './reads';

interface Options {
  fetchKey?: string | number;
  fetchPolicy?: FetchPolicy;
}

/**
 * Does what useLazyLoadQuery does, and reads the query again whenever a record of the answer is
 * invalidated, and once after the first read if a mutation was answered during it. What is
 * shown stays until the new answer is there, and after one that fails: the page says by itself
 * when the server is away.
 *
 * @param recordOf returns the id of the record, if the answer has it
 */
export function useReadAgain<Q extends OperationType>(
  query: GraphQLTaggedNode, variables: Q['variables'], recordOf: (data: Q['response']) => string | undefined, options?: Options,
): Q['response'] {
  const environment = useRelayEnvironment();
  const asText = JSON.stringify(variables);
  const identifier = useMemo(
    () => createOperationDescriptor(getRequest(query), JSON.parse(asText) as Q['variables']).request.identifier,
    [query, asText],
  );
  const read = useCallback(() => {
    void readAfresh<Q>(environment, identifier, query, JSON.parse(asText) as Q['variables']);
  }, [environment, identifier, query, asText]);
  // A component that suspends keeps nothing and subscribes to nothing, so this is noted apart.
  beginRead(environment, identifier);
  const data = useLazyLoadQuery<Q>(query, variables, options);
  const record = recordOf(data);
  useEffect(() => {
    if (isOutdated(environment, identifier)) read();
    return () => forgetRead(environment, identifier);
  }, [environment, identifier, read]);
  useSubscribeToInvalidationState(record ? [record] : [], read);
  return data;
}
