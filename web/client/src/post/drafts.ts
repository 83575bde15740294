// Unsent texts. A draft is stored per tab until the visitor sends it or signs out, so a closed
// dialog or an expired session does not lose it. All fields with the same target share a draft.
import { useCallback, useSyncExternalStore } from 'react';

import type { Audience, Draft } from './publish';

interface Kept {
  text: string;
  /** The last sent text and its idempotency key. */
  sent?: { text: string; key: string; audience?: Audience | undefined };
}

const PREFIX = 'tideline-draft ';

const watchers = new Set<() => void>();

/** The name of a user's draft for a new post, a reply or a quote. */
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

/** Returns the text of a draft and its setter. */
export function useDraft(name: string): [text: string, change: (text: string) => void] {
  const text = useSyncExternalStore(watch, () => read(name).text);
  const change = useCallback((next: string) => write(name, { ...read(name), text: next }), [name]);
  return [text, change];
}

/** Returns the audience of a user's last post on this device, and its setter. */
export function useAudience(user: string): [audience: Audience, change: (audience: Audience) => void] {
  const name = `tideline-audience ${user}`;
  const audience = useSyncExternalStore(watch, () => (localStorage.getItem(name) === 'FOLLOWERS' ? 'FOLLOWERS' : 'PUBLIC'));
  return [audience, (next) => {
    localStorage.setItem(name, next);
    for (const changed of [...watchers]) changed();
  }];
}

function watch(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

/**
 * Clears the draft and returns the idempotency key to send it with. The same text for
 * the same audience gets the same key, so that a retry does not publish twice.
 */
export function takeToSend(name: string, { text, audience }: Draft, newKey: () => string): string {
  const { sent } = read(name);
  const key = sent?.text === text && sent.audience === audience ? sent.key : newKey();
  write(name, { text: '', sent: { text, key, audience } });
  return key;
}

/** Restores a text after a failure, unless the visitor has written another. */
export function putBack(name: string, text: string): void {
  const kept = read(name);
  write(name, { ...kept, text: kept.text || text });
}

/** Removes a draft after its text was sent. */
export function settle(name: string, text: string): void {
  const kept = read(name);
  write(name, { text: kept.text === text ? '' : kept.text });
}

/** Removes all drafts, so that the next user does not see them. */
export function forgetDrafts(): void {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  }
}
