// What the whole page shares.
import { createContext, use } from 'react';

import type { News } from '../feed/news';
import type { Connection } from '../relay/status';
import type { Draft } from '../post/publish';

export const ConnectionContext = createContext<Connection | null>(null);
export const NewsContext = createContext<News | null>(null);

/** What the composer is opened with. */
export interface Composing extends Draft {
  /** Whose content is answered or shown again, and its text. */
  about?: { name: string; handle: string; text: string };
}

export interface Account {
  /** The id of its record. */
  id: string;
  databaseId: string;
  handle: string;
  name: string;
}

export interface Desk {
  /** Opens the composer. Whoever is not signed in is asked to. */
  compose(draft: Composing): void;
  /** Runs something that only a signed-in visitor may do; others are asked to sign in. */
  signedIn(something: () => void): void;
  /** The visitor's account, once it has been read. A token need not say its handle. */
  account: Account | null;
}

export const DeskContext = createContext<Desk>({ compose: () => undefined, signedIn: () => undefined, account: null });

function given<T>(value: T | null): T {
  if (value === null) throw new Error('used outside of the page');
  return value;
}

/** Returns what knows whether the server can be reached. */
export const useConnection = (): Connection => given(use(ConnectionContext));

/** Returns what listens to the home feed; null when nobody is signed in. */
export const useNews = (): News | null => use(NewsContext);

/** Returns what every page may do with the visitor. */
export const useDesk = (): Desk => use(DeskContext);
