// Links, mentions and initials in plain text.

export type Token = { kind: 'text'; text: string } | { kind: 'link'; text: string; href: string } | { kind: 'mention'; text: string; handle: string };

// A URL ends before trailing punctuation. A mention begins a word, so that a mail address has
// none.
const SPECIAL = /https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}]|(?<![\p{L}\p{N}_@/.])@[\p{L}\p{N}_][\p{L}\p{N}_.-]*(?<![.-])/gu;

/** Splits text into text, links and mentions. Joined together, they are the text again. */
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

/** The length in code points, which the server counts. */
export function length(text: string): number {
  let n = 0;
  for (const _ of text) n++;
  return n;
}

/** The host of a URL; the text itself if it is not an absolute URL. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : address;
}

/** The one or two initials of a name. */
export function initials(name: string): string {
  const words = name.trim().split(/[\s._-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '');
  return letters.join('').toLocaleUpperCase() || '~';
}

/** A stable hue for a text, from 0 to 359. */
export function hueOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  // Spread the few differing bits of similar texts.
  hash = Math.imul(hash ^ (hash >>> 15), 2246822519);
  hash ^= hash >>> 13;
  return (hash >>> 0) % 360;
}
