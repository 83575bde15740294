// Sends operations to the server.
import {
  Network, Observable,
  type FetchFunction, type GraphQLResponse, type INetwork, type RequestParameters, type SubscribeFunction, type Variables,
} from 'relay-runtime';

import { backoff } from './backoff';
import { Failure, failureOf } from './failure';
import type { Socket } from './socket';
import type { Connection } from './status';

/** Retries of a query to a busy server before the page shows the failure. */
const SILENT_RETRIES = 2;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The part of the connection that the network needs. */
type Link = Pick<Connection, 'status' | 'asked' | 'lost' | 'limited'>;

export interface Visitor {
  /** Whether a user is signed in. */
  known: boolean;
  signedOut(): void;
}

/**
 * Returns the network of a Relay environment: queries and mutations by POST with the session
 * cookie, subscriptions over the socket.
 *
 * @param endpoint the path of the API
 * @param visitor the session of this page, and the callback for its end
 */
export function createNetwork(endpoint: string, connection: Link, socket: Pick<Socket, 'subscribe'>, visitor: Visitor): INetwork {
  const send = async (operation: RequestParameters, variables: Variables): Promise<GraphQLResponse> => {
    const waiting = connection.status.get().limitedUntil - Date.now();
    // A request during the pause would prolong it.
    if (waiting > 0) throw new Failure('RATE_LIMITED', 'the server asked for a pause', null, Math.ceil(waiting / 1_000));
    const answered = connection.asked();
    const response = await ask(endpoint, { query: operation.text, variables }).catch(() => null);
    if (!response) {
      connection.lost();
      throw new Failure('UNREACHABLE', 'the server does not answer');
    }
    answered();
    const body: unknown = await response.json().catch(() => null);
    const failure = failureOf(response.status, body, (name) => response.headers.get(name)) ?? forgotten(body, visitor);
    if (!failure) return body as GraphQLResponse;
    if (failure.code === 'RATE_LIMITED') connection.limited(failure.retryAfter);
    if (failure.code === 'UNAUTHENTICATED') visitor.signedOut();
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
    Observable.create((sink) =>
      socket.subscribe({ query: operation.text ?? '', variables }, {
        next: sink.next,
        complete: sink.complete,
        error(failed: Error) {
          if (failed instanceof Failure && failed.code === 'UNAUTHENTICATED') visitor.signedOut();
          sink.error(failed);
        },
      }),
    );
  return Network.create(fetchOperation, subscribe);
}

// With an expired cookie, a query is anonymous and not an error.
function forgotten(body: unknown, visitor: Visitor): Failure | null {
  const data = (body as { data?: Record<string, unknown> | null }).data;
  if (!visitor.known || data?.['viewer'] !== null) return null;
  return new Failure('UNAUTHENTICATED', 'the session is over');
}

function ask(endpoint: string, body: unknown): Promise<Response> {
  return fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/graphql-response+json, application/json;q=0.5' },
    body: JSON.stringify(body),
  });
}
