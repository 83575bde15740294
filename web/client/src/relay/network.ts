// Sends operations to the server.
import {
  Network, Observable,
  type FetchFunction, type GraphQLResponse, type INetwork, type RequestParameters, type SubscribeFunction, type Variables,
} from 'relay-runtime';

import { backoff } from './backoff';
import { Failure, failureOf } from './failure';
import type { Socket } from './socket';
import type { Connection } from './status';

/** How often a query is sent again when the server is busy, before people are told. */
const SILENT_RETRIES = 2;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Returns the network of a Relay environment: queries and mutations by POST with the
 * session's cookie, subscriptions over the socket.
 *
 * @param endpoint the path of the API
 * @param signedOut is called when the server no longer knows who asks
 */
export function createNetwork(endpoint: string, connection: Connection, socket: Socket, signedOut: () => void): INetwork {
  const send = async (operation: RequestParameters, variables: Variables): Promise<GraphQLResponse> => {
    const waiting = connection.status.get().limitedUntil - Date.now();
    // Asking during the pause would only make it longer.
    if (waiting > 0) throw new Failure('RATE_LIMITED', 'the server asked for a pause', null, Math.ceil(waiting / 1_000));
    const response = await ask(endpoint, { query: operation.text, variables }).catch(() => null);
    if (!response) {
      connection.lost();
      throw new Failure('UNREACHABLE', 'the server does not answer');
    }
    connection.answered();
    const body: unknown = await response.json().catch(() => null);
    const failure = failureOf(response.status, body, (name) => response.headers.get(name));
    if (!failure) return body as GraphQLResponse;
    if (failure.code === 'RATE_LIMITED') connection.limited(failure.retryAfter);
    if (failure.code === 'UNAUTHENTICATED') signedOut();
    throw failure;
  };
  const fetchOperation: FetchFunction = async (operation, variables) => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await send(operation, variables);
      } catch (error) {
        const again = operation.operationKind === 'query' && error instanceof Failure && error.code === 'UNAVAILABLE';
        if (!again || attempt === SILENT_RETRIES) throw error;
        await pause(Math.max(backoff(attempt), error.retryAfter * 1_000));
      }
    }
  };
  const subscribe: SubscribeFunction = (operation, variables) =>
    Observable.create((sink) => socket.subscribe({ query: operation.text ?? '', variables }, sink));
  return Network.create(fetchOperation, subscribe);
}

function ask(endpoint: string, body: unknown): Promise<Response> {
  return fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json, application/json;q=0.5' },
    body: JSON.stringify(body),
  });
}
