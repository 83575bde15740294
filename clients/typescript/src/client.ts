import type { TypedDocumentString } from './generated/graphql.ts';

/** An error of the server. */
export class TidelineError extends Error {
  /** One of the codes of docs/gateway.md; empty if the response is not from Tideline. */
  readonly code: string;
  /** The id of the request in the server log. */
  readonly requestId: string;

  constructor(message: string, code = '', requestId = '') {
    super(message);
    this.name = 'TidelineError';
    this.code = code;
    this.requestId = requestId;
  }
}

/** The server and the token of requests. */
export interface Settings {
  /** The server, such as https://feeds.example.org. */
  base: string;
  /** Returns the token of a request. Without it, requests use the cookie or are anonymous. */
  token?: () => string | Promise<string>;
  /** The decimal id of the user that a service acts for; the token must be a service's. */
  actFor?: string;
  /** The fetch function; the platform's by default. */
  fetch?: typeof globalThis.fetch;
}

interface Answer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string; requestId?: string } }[];
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

  async #send<Data>(body: object): Promise<Data> {
    const { base, token, actFor, fetch = globalThis.fetch } = this.#settings;
    const headers: Record<string, string> = {
      Accept: 'application/graphql-response+json, application/json;q=0.9',
      'Content-Type': 'application/json',
    };
    const signedIn = await token?.();
    if (signedIn) headers['Authorization'] = `Bearer ${signedIn}`;
    if (actFor) headers['Tideline-Act-For'] = actFor;
    const url = `${base.replace(/\/+$/, '')}/graphql`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return dataOf<Data>(response);
  }
}

/** Returns the data of a response; throws for errors. */
async function dataOf<Data>(response: Response): Promise<Data> {
  const answer = await response.json().catch(() => ({})) as Answer<Data>;
  const [error] = answer.errors ?? [];
  if (error) throw new TidelineError(error.message, error.extensions?.code, error.extensions?.requestId);
  if (!answer.data) throw new TidelineError(`The response has status ${response.status} and no data.`);
  return answer.data;
}
