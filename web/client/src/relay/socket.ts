// The WebSocket of subscriptions.
import type { Client, FormattedExecutionResult, Sink } from 'graphql-ws';
import type { GraphQLResponse, Variables } from 'relay-runtime';

import { backoff } from './backoff';
import { Failure } from './failure';

interface Receiver {
  next(value: GraphQLResponse): void;
  error(error: Error): void;
  complete(): void;
}

/** A socket that the first subscription opens and that reconnects when it breaks. */
export class Socket {
  #client: Promise<Client> | null = null;
  #attempts = 0;
  #opened = false;
  readonly #watchers = new Set<() => void>();

  constructor(private readonly endpoint: string) {}

  /** Calls back after each reconnect: earlier events were missed. The returned function ends it. */
  onReopen(again: () => void): () => void {
    this.#watchers.add(again);
    return () => this.#watchers.delete(again);
  }

  /** Runs a subscription; the returned function ends it. */
  subscribe(payload: { query: string; variables: Variables }, to: Receiver): () => void {
    let ended = false;
    let end = () => undefined as void;
    this.#connect().then(
      (client) => {
        if (!ended) end = client.subscribe(payload, sinkOf(to));
      },
      (error: Error) => to.error(error),
    );
    return () => {
      ended = true;
      end();
    };
  }

  /** Closes the socket permanently. */
  close(): void {
    // The library rejects if the server closes the connection while it is being opened.
    void this.#client?.then((client) => client.dispose()).catch(() => undefined);
  }

  // Load the library when it is first needed, after the first page.
  #connect(): Promise<Client> {
    this.#client ??= import('graphql-ws').then(({ createClient }) =>
      createClient({
        url: new URL(this.endpoint, location.href.replace(/^http/, 'ws')).href,
        keepAlive: 20_000,
        retryAttempts: Infinity,
        shouldRetry: () => true,
        retryWait: () => new Promise((resolve) => setTimeout(resolve, backoff(this.#attempts++))),
        // The status bar shows an unreachable server.
        onNonLazyError: () => undefined,
        on: {
          connected: () => {
            this.#attempts = 0;
            if (this.#opened) for (const again of [...this.#watchers]) again();
            this.#opened = true;
          },
        },
      }),
    );
    return this.#client;
  }
}

function sinkOf(to: Receiver): Sink<FormattedExecutionResult<Record<string, unknown>, unknown>> {
  return {
    next(result) {
      const first = result.errors?.[0];
      if (first) to.error(new Failure(String(first.extensions?.['code'] ?? 'INTERNAL'), first.message));
      else to.next(result as GraphQLResponse);
    },
    error: () => to.error(new Failure('UNAVAILABLE', 'the subscription has ended')),
    complete: () => to.complete(),
  };
}
