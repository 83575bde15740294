import type { TypedDocumentString } from './generated/graphql.ts';

/** An error of the server. */
export class TidelineError extends Error {
  /** One of the codes of docs/gateway.md; empty if the response is not from Tideline. */
  readonly code: string;
  /** The id of the request in the server log. */
  readonly requestId: string;
  /** After how many seconds to try again, at the earliest. */
  readonly retryAfter: number;

  constructor(message: string, code = '', requestId = '', retryAfter = 0) {
    super(message);
    this.name = 'TidelineError';
    this.code = code;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** The server and the token of requests. */
export interface Settings {
  /** The server, such as https://feeds.example.org. */
  base: string;
  /** Returns the token of a request. Without it, requests use the cookie or are anonymous. */
  token?: () => string | Promise<string>;
  /** The id, as records have it, of the user that a service acts for; the token must be a service's. */
  actFor?: string;
  /** The fetch function; the platform's by default. */
  fetch?: typeof globalThis.fetch;
}

interface Answer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string; requestId?: string; retryAfter?: number } }[];
}

/** A client that sends document ids, and texts to a server that does not know them. */
export class Tideline {
  readonly #settings: Settings;
  #byId = true;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * Runs a query or a mutation and returns its data.
   *
   * A refused mutation is not an error: its payload has `userErrors`.
   *
   * @throws {TidelineError} if the response has errors or no data.
   */
  async ask<Data, Variables>(document: TypedDocumentString<Data, Variables>, variables: Variables): Promise<Data> {
    const id: unknown = document.__meta__?.['hash'];
    if (this.#byId && typeof id === 'string') {
      try {
        return await this.#send<Data>({ documentId: id, variables });
      } catch (error) {
        if (!(error instanceof TidelineError && error.code === 'PERSISTED_QUERY_NOT_FOUND')) throw error;
        this.#byId = false;
      }
    }
    return this.#send<Data>({ query: document.toString(), variables });
  }

  /**
   * Runs a subscription and yields the data of its events, until it is complete or the caller stops.
   *
   * @throws {TidelineError} if an event has errors or no data; other errors if the connection breaks.
   */
  async *receive<Data, Variables>(document: TypedDocumentString<Data, Variables>, variables: Variables): AsyncGenerator<Data, void> {
    const id: unknown = document.__meta__?.['hash'];
    if (this.#byId && typeof id === 'string') {
      try {
        yield* this.#events<Data>({ documentId: id, variables });
        return;
      } catch (error) {
        if (!(error instanceof TidelineError && error.code === 'PERSISTED_QUERY_NOT_FOUND')) throw error;
        this.#byId = false;
      }
    }
    yield* this.#events<Data>({ query: document.toString(), variables });
  }

  async *#events<Data>(body: object): AsyncGenerator<Data, void> {
    const stop = new AbortController();
    try {
      const response = await this.#post(body, 'text/event-stream', stop.signal);
      if (!response.body || !response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
        await dataOf<Data>(response);
        throw new TidelineError('The response is no stream.');
      }
      for await (const { event, data } of eventsOf(response.body)) {
        if (event === 'complete') return;
        if (event === 'next') yield unwrap<Data>(JSON.parse(data) as Answer<Data>, response.status);
      }
      throw new TypeError('The connection has ended.');
    } finally {
      stop.abort();
    }
  }

  async #send<Data>(body: object): Promise<Data> {
    return dataOf<Data>(await this.#post(body, 'application/graphql-response+json, application/json;q=0.9'));
  }

  async #post(body: object, accept: string, signal?: AbortSignal): Promise<Response> {
    const { base, token, actFor, fetch = globalThis.fetch } = this.#settings;
    const headers: Record<string, string> = { Accept: accept, 'Content-Type': 'application/json' };
    const signedIn = await token?.();
    if (signedIn) headers['Authorization'] = `Bearer ${signedIn}`;
    if (actFor && /^[!-~]+$/.test(actFor)) headers['Tideline-Act-For'] = actFor;
    else if (actFor) headers['Tideline-Act-For-Encoded'] = encodeURIComponent(actFor);
    const url = `${base.replace(/\/+$/, '')}/graphql`;
    return fetch(url, { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) });
  }
}

/** Returns the data of a response; throws for errors. */
async function dataOf<Data>(response: Response): Promise<Data> {
  return unwrap(await response.json().catch(() => ({})) as Answer<Data>, response.status);
}

function unwrap<Data>(answer: Answer<Data>, status: number): Data {
  const [error] = answer.errors ?? [];
  if (error) throw new TidelineError(error.message, error.extensions?.code, error.extensions?.requestId, error.extensions?.retryAfter);
  if (!answer.data) throw new TidelineError(`The response has status ${status} and no data.`);
  return answer.data;
}

/** Yields the server-sent events of a body. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<{ event: string; data: string }, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const messages = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) {
      const field = (name: string) => message.split('\n').filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trim()).join('\n');
      yield { event: field('event'), data: field('data') };
    }
  }
}
