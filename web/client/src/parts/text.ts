// What plain text holds besides words.

export type Token = { kind: 'text'; text: string } | { kind: 'link'; text: string; href: string } | { kind: 'mention'; text: string; handle: string };

// An address ends before the stop or bracket that belongs to the sentence around it. A
// mention begins a word, so that the middle of a mail address is none.
const SPECIAL = /https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}]|(?<![\p{L}\p{N}_@/.])@[\p{L}\p{N}_][\p{L}\p{N}_.-]*(?<![.-])/gu;

/** Splits text into words, links and mentions, in order. Joined together they are the text again. */
export function tokens(text: string): Token[] {
  const out: Token[] = [];
  let from = 0;
  for (const match of text.matchAll(SPECIAL)) {
    const [found] = match;
    if (match.index > from) out.push({ kind: 'text', text: text.slice(from, match.index) });
    if (found.startsWith('@')) out.push({ kind: 'mention', text: found, handle: found.slice(1) });
    else if (URL.canParse(found)) out.push({ kind: 'link', text: found, href: found });
    else out.push({ kind: 'text', text: found });
    from = match.index + found.length;
  }
  if (from < text.length) out.push({ kind: 'text', text: text.slice(from) });
  return out;
}

/** How many code points a text has: what the server counts. */
export function length(text: string): number {
  let n = 0;
  for (const _ of text) n++;
  return n;
}

/** The host of an address, for people to see where a link leads; the address itself when it is no absolute one. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : address;
}

/** One or two letters that stand for a name. */
export function initials(name: string): string {
  const words = name.trim().split(/[\s._-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toLocaleUpperCase() || '~';
}

/** A number from 0 to 359 that is always the same for one text: its hue. */
export function hueOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  // Texts that differ in one digit differ in few bits: spread them.
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519);
  hash ^= hash >>> 13;
  return (hash >>> 0) % 360;
}
