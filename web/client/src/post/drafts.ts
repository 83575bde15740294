// What the visitor has written and not sent. It is kept for the tab, so that neither a closed
// dialog nor a sign-in that has expired loses it, until it is sent or he signs out. Every
// field for the same thing shows the same draft.
import { useCallback, useSyncExternalStore } from 'react';

import type { Draft } from './publish';

interface Kept {
  text: string;
  /** The text that was last sent and the idempotency key it was sent with. */
  sent?: { text: string; key: string };
}

const PREFIX = 'tideline-draft ';

const watchers = new Set<() => void>();

/** The name of the draft of a user for a new post, for a reply to something, or for words to it. */
export function draftName(user: string, { replyTo, repostOf }: Omit<Draft, 'text'>): string {
  const target = replyTo ? `reply ${replyTo}` : repostOf ? `repost ${repostOf}` : 'post';
  return `${PREFIX}${user} ${target}`;
}

function read(name: string): Kept {
  const kept = sessionStorage.getItem(name);
  return kept ? (JSON.parse(kept) as Kept) : { text: '' };
}

function write(name: string, kept: Kept): void {
  if (kept.text || kept.sent) sessionStorage.setItem(name, JSON.stringify(kept));
  else sessionStorage.removeItem(name);
  for (const changed of [...watchers]) changed();
}

/** Returns the text of a draft, and what changes it. */
export function useDraft(name: string): [text: string, change: (text: string) => void] {
  const text = useSyncExternalStore(watch, () => read(name).text);
  const change = useCallback((next: string) => write(name, { ...read(name), text: next }), [name]);
  return [text, change];
}

function watch(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

/**
 * Takes a text out of its field to be sent, and returns the key to send it with: one key for
 * one text, so that what is sent again after a failure is not published twice.
 */
export function takeToSend(name: string, text: string, newKey: () => string): string {
  const { sent } = read(name);
  const key = sent?.text === text ? sent.key : newKey();
  write(name, { text: '', sent: { text, key } });
  return key;
}

/** Puts a text that could not be sent back, unless something else has been written meanwhile. */
export function putBack(name: string, text: string): void {
  const kept = read(name);
  write(name, { ...kept, text: kept.text || text });
}

/** Forgets a text that has been sent, at once or when it was tried again. */
export function settle(name: string, text: string): void {
  const kept = read(name);
  write(name, { text: kept.text === text ? '' : kept.text });
}

/** Forgets all drafts: whoever comes next is not to find them. */
export function forgetDrafts(): void {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  }
}
