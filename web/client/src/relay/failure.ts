// What can go wrong between this page and the server, and what to say of it.

/** A request that did not succeed. */
export class Failure extends Error {
  override readonly name = 'Failure';

  /**
   * @param code what the server's extensions.code says, or UNREACHABLE when it did not answer at all
   * @param message the server's words
   * @param requestId what the server's log has the request under
   * @param retryAfter seconds after which the same request may succeed; 0 when nobody said
   */
  constructor(
    readonly code: string,
    message: string,
    readonly requestId: string | null = null,
    readonly retryAfter = 0,
  ) {
    super(message);
  }
}

/** A change that the server expects to refuse: the first of the payload's userErrors. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** What to show of an error. */
export interface Explanation {
  title: string;
  help: string;
  requestId: string | null;
  /** Whether the same request may succeed later. */
  again: boolean;
  /** Whether it only says that the server is away, which is over once it is back. */
  away: boolean;
}

const WORDS: Readonly<Record<string, readonly [title: string, help: string, again: boolean]>> = {
  UNREACHABLE: ['The server does not answer', 'Check your connection. What is on the screen may be old.', true],
  UNAVAILABLE: ['The server is busy', 'Part of it cannot be reached just now. It is worth trying again.', true],
  TIMEOUT: ['That took too long', 'The server gave up on it. It is worth trying again.', true],
  RATE_LIMITED: ['That was a lot at once', 'The server asks for a pause.', true],
  UNAUTHENTICATED: ['You are signed out', 'Sign in again to go on.', false],
  FORBIDDEN: ['That is not yours to do', 'This account may not do that.', false],
  NOT_FOUND: ['It is not there any more', 'It may have been deleted, or it is not shown to you.', false],
  BAD_CURSOR: ['This list has lost its place', 'Load it again from the top.', true],
  INTERNAL: ['Something broke on the server', 'The cause is in its log, under the number below.', true],
};

/** Says in words for people what an error means. */
export function explain(error: unknown): Explanation {
  if (error instanceof Refusal) return { title: sentence(error.message), help: '', requestId: null, again: false, away: false };
  if (!(error instanceof Failure)) {
    return { title: 'Something broke on this page', help: 'Loading it again usually helps.', requestId: null, again: true, away: false };
  }
  const [title, help, again] = WORDS[error.code] ?? ['That did not work', sentence(error.message), true];
  return { title, help, requestId: error.requestId, again, away: error.code === 'UNREACHABLE' };
}

/** Puts an explanation in one line. */
export function inOneLine({ title, help }: Explanation): string {
  return [title, help].filter(Boolean).join(title.endsWith('.') ? ' ' : '. ');
}

/** Makes a message a sentence: a capital in front, and a stop at the end unless it has one. */
export function sentence(message: string): string {
  const text = message.trim();
  if (!text) return '';
  return text[0]!.toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.');
}

interface ErrorBody {
  errors?: readonly { message?: string; extensions?: { code?: string; requestId?: string } }[];
}

/**
 * Reads what failed out of an answer, or null when nothing did. An answer with both data
 * and errors has failed too: the schema promises nearly everything, so what is null there
 * would pass for "nobody is signed in" or "there is none".
 *
 * @param status the HTTP status
 * @param body the parsed body; null when it was not JSON
 * @param header reads a header of the answer
 */
export function failureOf(status: number, body: unknown, header: (name: string) => string | null): Failure | null {
  const first = (body as ErrorBody | null)?.errors?.[0];
  if (!first && status < 400 && body !== null) return null;
  const requestId = first?.extensions?.requestId ?? header('X-Request-Id');
  const code = first?.extensions?.code ?? codeOf(status);
  return new Failure(code, first?.message ?? `the server answered with status ${status}`, requestId, pause(header('Retry-After')));
}

function codeOf(status: number): string {
  if (status === 429) return 'RATE_LIMITED';
  if (status === 401) return 'UNAUTHENTICATED';
  if (status === 502 || status === 503 || status === 504) return 'UNAVAILABLE';
  return status < 400 ? 'UNREACHABLE' : 'INTERNAL';
}

/** The seconds of a Retry-After; 0 for none and for one that is not a number. */
function pause(value: string | null): number {
  const seconds = Number(value ?? 0);
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : 0;
}
