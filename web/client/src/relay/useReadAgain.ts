// Loads a query on the screen again after a change.
import { useCallback, useEffect, useMemo } from 'react';
import { useLazyLoadQuery, useRelayEnvironment, useSubscribeToInvalidationState } from 'react-relay';
import { createOperationDescriptor, getRequest, type FetchPolicy, type GraphQLTaggedNode, type OperationType } from 'relay-runtime';

import { beginRead, forgetRead, isOutdated, readAfresh } from './reads';

interface Options {
  fetchKey?: string | number;
  fetchPolicy?: FetchPolicy;
}

/**
 * Works like useLazyLoadQuery, and loads the query again when a record of the response is
 * invalidated, or when a mutation completed during the first read. The old data stays until the
 * new response, also after a failure.
 *
 * @param recordOf returns the id of the record, if the response has it
 * @returns the data, and a function that loads the query again
 */
export function useReadAgain<Q extends OperationType>(
  query: GraphQLTaggedNode, variables: Q['variables'], recordOf: (data: Q['response']) => string | undefined, options?: Options,
): [data: Q['response'], readAgain: () => void] {
  const environment = useRelayEnvironment();
  const asText = JSON.stringify(variables);
  const identifier = useMemo(
    () => createOperationDescriptor(getRequest(query), JSON.parse(asText) as Q['variables']).request.identifier,
    [query, asText],
  );
  const read = useCallback(() => {
    void readAfresh<Q>(environment, identifier, query, JSON.parse(asText) as Q['variables']);
  }, [environment, identifier, query, asText]);
  // A suspended component keeps no state, so the read is recorded elsewhere.
  beginRead(environment, identifier);
  const data = useLazyLoadQuery<Q>(query, variables, options);
  const record = recordOf(data);
  useEffect(() => {
    if (isOutdated(environment, identifier)) read();
    return () => forgetRead(environment, identifier);
  }, [environment, identifier, read]);
  useSubscribeToInvalidationState(record ? [record] : [], read);
  return [data, read];
}
