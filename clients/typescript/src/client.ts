import type { TypedDocumentString } from './generated/graphql.ts';

/** What the server answered in the place of data. */
export class TidelineError extends Error {
  /** One of the codes of docs/gateway.md; empty when what answered is no Tideline. */
  readonly code: string;
  /** What the server's log has this request under. */
  readonly requestId: string;

  constructor(message: string, code = '', requestId = '') {
    super(message);
    this.name = 'TidelineError';
    this.code = code;
    this.requestId = requestId;
  }
}

/** Where requests go to, and as whom. */
export interface Settings {
  /** The server, such as https://feeds.example.org. */
  base: string;
  /** The token to send with a request; without one a request is nobody's, or the cookie's. */
  token?: () => string | Promise<string>;
  /** What sends requests; the platform's own by default. */
  fetch?: typeof globalThis.fetch;
}

interface Answer<Data> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string; requestId?: string } }[];
}

/** A client that names documents by their ids, and sends texts to a server without them. */
export class Tideline {
  readonly #settings: Settings;
  #byId = true;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * Runs a query or a mutation and returns its data.
   *
   * A mutation that was refused is no error: its payload says why in `userErrors`.
   *
   * @throws {TidelineError} when the answer has errors, or is none.
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
    const { base, token, fetch = globalThis.fetch } = this.#settings;
    const headers: Record<string, string> = {
      Accept: 'application/graphql-response+json, application/json;q=0.9',
      'Content-Type': 'application/json',
    };
    const signedIn = await token?.();
    if (signedIn) headers['Authorization'] = `Bearer ${signedIn}`;
    const url = `${base.replace(/\/+$/, '')}/graphql`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return dataOf<Data>(response);
  }
}

/** Returns the data of an answer without errors. */
async function dataOf<Data>(response: Response): Promise<Data> {
  const answer = await response.json().catch(() => ({})) as Answer<Data>;
  const [error] = answer.errors ?? [];
  if (error) throw new TidelineError(error.message, error.extensions?.code, error.extensions?.requestId);
  if (!answer.data) throw new TidelineError(`The server answers with ${response.status} and no data.`);
  return answer.data;
}
