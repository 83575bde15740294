// The session. Its token is in a cookie that scripts cannot read.
import { createContext, use } from 'react';

import { Failure, failureOf } from '../relay/failure';

export interface SessionUser {
  /** The databaseId. */
  id: string;
  handle: string;
}

export interface Session {
  user: SessionUser | null;
  admin: boolean;
  /** The demo users that this browser may sign in as. */
  demoUsers: readonly (SessionUser & { name: string })[];
  /** Whether a demo link would offer demo users. */
  demoLink?: boolean;
}

const ADDRESS = '/session';

/** Loads the session. */
export const readSession = (): Promise<Session> => call('GET');

/**
 * Loads the session. If a demo link opened the page, it first exchanges the secret of the link,
 * which works once, and removes it from the address. An expired link has no effect.
 */
export async function openSession(): Promise<Session> {
  const demoSecret = demoSecretOf(location.hash);
  if (demoSecret === null) return readSession();
  history.replaceState(history.state, '', location.pathname + location.search);
  return call('POST', { demoSecret }).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'FORBIDDEN') return readSession();
    throw error;
  });
}

/** The secret in the fragment of a demo link, or null. */
export const demoSecretOf = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get('demo') || null;

/** Signs in by token or as a demo user. */
export const signIn = (by: { token: string } | { demoUserId: string }): Promise<Session> => call('POST', by);

/** Ends the session and returns the anonymous one. */
export async function signOut(): Promise<Session> {
  await call('DELETE');
  return readSession();
}

async function call(method: string, body?: object): Promise<Session> {
  const response = await fetch(ADDRESS, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Failure('UNREACHABLE', 'the server does not answer');
  });
  if (response.status === 204) return { user: null, admin: false, demoUsers: [] };
  const answer: unknown = await response.json().catch(() => null);
  const failure = failureOf(response.status, answer, (name) => response.headers.get(name));
  if (failure) throw failure;
  return answer as Session;
}

/**
 * Returns the address in ?next= to open after a sign-in, or null. Any link can set it, so only a
 * path on this server is valid. Browsers treat two slashes or backslashes as the start of another
 * host, and resolving dots can produce such a start.
 */
export function nextOf(search: string, base: string): string | null {
  const wanted = new URLSearchParams(search).get('next');
  if (!wanted || !isPath(wanted) || !URL.canParse(wanted, base)) return null;
  const address = new URL(wanted, base);
  return address.origin === new URL(base).origin && isPath(address.pathname) ? address.pathname + address.search : null;
}

/** Reports whether an address is an absolute path, which cannot name another host. */
const isPath = (address: string): boolean => /^\/(?![/\\])[^\\]*$/.test(address);

export interface Signing {
  session: Session;
  /** Whether the session of this page has expired. */
  expired: boolean;
  /** Sets the session after a sign-in or sign-out. */
  change(session: Session): void;
}

export const SessionContext = createContext<Signing>({
  session: { user: null, admin: false, demoUsers: [] },
  expired: false,
  change: () => undefined,
});

/** Returns the session and its setter. */
export const useSession = (): Signing => use(SessionContext);
