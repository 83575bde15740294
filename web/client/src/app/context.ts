// State that the whole page shares.
import { createContext, use } from 'react';

import type { News } from '../feed/news';
import type { Socket } from '../relay/socket';
import type { Connection } from '../relay/status';
import type { Draft } from '../post/publish';

export const ConnectionContext = createContext<Connection | null>(null);
export const SocketContext = createContext<Socket | null>(null);
export const NewsContext = createContext<News | null>(null);

/** What the composer is opened with. */
export interface Composing extends Draft {
  /** The author and text of the parent or the reposted post. */
  about?: { name: string; handle: string; text: string };
}

export interface Account {
  /** The id of its record. */
  id: string;
  databaseId: string;
  handle: string;
  name: string;
  /** Whether the visitor is a moderator. */
  moderates: boolean;
}

export interface Desk {
  /** Opens the composer, or the sign-in for an anonymous visitor. */
  compose(draft: Composing): void;
  /** Runs an action that needs a sign-in, or opens the sign-in for an anonymous visitor. */
  signedIn(something: () => void): void;
  /** The account of the visitor, once it is loaded. A token may lack the handle. */
  account: Account | null;
}

export const DeskContext = createContext<Desk>({ compose: () => undefined, signedIn: () => undefined, account: null });

function given<T>(value: T | null): T {
  if (value === null) throw new Error('used outside of the page');
  return value;
}

/** Returns the state of the connection to the server. */
export const useConnection = (): Connection => given(use(ConnectionContext));

/** Returns the socket of subscriptions. */
export const useSocket = (): Socket => given(use(SocketContext));

/** Returns the listener of the home feed; null for an anonymous visitor. */
export const useNews = (): News | null => use(NewsContext);

/** Returns the actions that every page shares. */
export const useDesk = (): Desk => use(DeskContext);
