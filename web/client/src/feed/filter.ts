// The filter of a home feed in the address: words with commas between, such as posts,media.
import type { HomeFeed } from '../post/PostMutations';

const KINDS = { posts: 'POST', reposts: 'REPOST', replies: 'COMMENT' } as const;

/** The words that name kinds of posts. */
export const KIND_WORDS = Object.keys(KINDS) as (keyof typeof KINDS)[];

/** All words. */
export const WORDS = [...KIND_WORDS, 'media'] as const;
export type Word = (typeof WORDS)[number];

/** Reads a filter. Unknown words are left out; without a kind it has all. */
export function wordsOf(only: string): Set<Word> {
  const words = new Set(WORDS.filter((word) => only.split(',').includes(word)));
  if (!KIND_WORDS.some((word) => words.has(word))) for (const word of KIND_WORDS) words.add(word);
  return words;
}

/** Writes a filter with one word more or less; empty if all posts pass. */
export function toggled(only: string, word: Word): string {
  const words = wordsOf(only);
  if (!words.delete(word)) words.add(word);
  const again = wordsOf([...words].join());
  return WORDS.filter((one) => again.has(one) && (one === 'media' || !KIND_WORDS.every((kind) => again.has(kind)))).join();
}

/** Returns the arguments of a home feed. */
export function feedOf(special: boolean, only: string): HomeFeed {
  const words = wordsOf(only);
  const kinds = KIND_WORDS.filter((word) => words.has(word)).map((word) => KINDS[word]);
  const filter = { ...(kinds.length < KIND_WORDS.length && { kinds }), ...(words.has('media') && { hasMedia: true as const }) };
  return { ...(special && { special }), ...(Object.keys(filter).length > 0 && { filter }) };
}
