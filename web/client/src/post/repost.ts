/**
 * Returns the original of a repost that adds nothing of its own: no text, no media. Such a repost
 * shows the counters and actions of its original. A quote is a post of its own.
 */
export function plainOriginal<T>(post: { text: string; media: readonly string[]; repostOf: T | null | undefined }): T | null {
  return post.text === '' && post.media.length === 0 ? (post.repostOf ?? null) : null;
}
