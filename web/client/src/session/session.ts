// Who is signed in. The token itself lives in a cookie that no script can read.
import { createContext, use } from 'react';

import { Failure, failureOf } from '../relay/failure';

export interface SessionUser {
  /** The decimal id, which the API calls databaseId. */
  id: string;
  handle: string;
}

export interface Session {
  user: SessionUser | null;
  admin: boolean;
  /** The users that this browser may sign in as without a token; empty without a demo pass. */
  demoUsers: readonly (SessionUser & { name: string })[];
  /** Whether there are demo users, for browsers that open the link that the server prints. */
  demoLink?: boolean;
}

const ADDRESS = '/session';

/** Asks who is signed in. */
export const readSession = (): Promise<Session> => call('GET');

/**
 * Asks who is signed in, and first trades the secret of a demo link, if the page was opened by
 * one, for the right to sign in as demo users. The secret is good once and leaves the address.
 * A link that no longer works changes nothing: the page says how to sign in without it.
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

/** Trades a token, or the id of a demo user, for a session. */
export const signIn = (by: { token: string } | { demoUserId: string }): Promise<Session> => call('POST', by);

/** Ends the session, and returns what is left: nobody's. */
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
 * The address that a page for administrators sent the visitor from, as ?next= says, or null.
 * Only a path on this server counts, because the query is whatever a link says. A browser takes
 * two slashes or backslashes, in any mixture, for the beginning of another host, and resolving
 * a path with dots can bring such a beginning about.
 */
export function nextOf(search: string, base: string): string | null {
  const wanted = new URLSearchParams(search).get('next');
  if (!wanted || !isPath(wanted) || !URL.canParse(wanted, base)) return null;
  const address = new URL(wanted, base);
  return address.origin === new URL(base).origin && isPath(address.pathname) ? address.pathname + address.search : null;
}

/** Tells whether an address is a path from the root, on whatever server it is opened. */
const isPath = (address: string): boolean => /^\/(?![/\\])[^\\]*$/.test(address);

export interface Signing {
  session: Session;
  /** Whether somebody was signed in on this page until the server no longer knew him. */
  expired: boolean;
  /** Takes what a sign-in or a sign-out answered. */
  change(session: Session): void;
}

export const SessionContext = createContext<Signing>({
  session: { user: null, admin: false, demoUsers: [] },
  expired: false,
  change: () => undefined,
});

/** Returns who is signed in, and what changes that. */
export const useSession = (): Signing => use(SessionContext);
