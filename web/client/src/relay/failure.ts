// Failures of requests and their explanations.
import { texts } from '../texts';

/** A request that did not succeed. */
export class Failure extends Error {
  override readonly name = 'Failure';

  /**
   * @param code extensions.code of the server, or UNREACHABLE without a response
   * @param message the message of the server
   * @param requestId the id of the request in the server log
   * @param retryAfter seconds until a retry may succeed; 0 if unknown
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

/** A refused mutation: the first of the payload's userErrors. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** What to show for an error code. */
export interface Explained {
  title: string;
  help: string;
  /** Whether a retry may succeed. */
  again: boolean;
}

/** What to show for an error. */
export interface Explanation extends Explained {
  requestId: string | null;
  /** Whether it only says that the server is unreachable, which ends with a reconnect. */
  away: boolean;
}

/** Explains an error to the visitor. */
export function explain(error: unknown): Explanation {
  if (error instanceof Refusal) return { title: sentence(error.message), help: '', requestId: null, again: false, away: false };
  if (!(error instanceof Failure)) {
    return { ...texts.failures.page, requestId: null, again: true, away: false };
  }
  const explained = texts.failures.known[error.code] ?? { title: texts.failures.other, help: sentence(error.message), again: true };
  return { ...explained, requestId: error.requestId, away: error.code === 'UNREACHABLE' };
}

/** Returns an explanation as one line. */
export function inOneLine({ title, help }: Explanation): string {
  return [title, help].filter(Boolean).join(title.endsWith('.') ? ' ' : '. ');
}

/** Makes a message a sentence, with a capital and a full stop. */
export function sentence(message: string): string {
  const text = message.trim();
  if (!text) return '';
  return text[0]!.toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.');
}

interface ErrorBody {
  errors?: readonly { message?: string; extensions?: { code?: string; requestId?: string } }[];
}

/**
 * Returns the failure of a response, or null for success. A response with data and errors has
 * failed too: a null in it would look like a missing object or an anonymous viewer.
 *
 * @param status the HTTP status
 * @param body the parsed body; null when it was not JSON
 * @param header returns a header of the response
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
