/**
 * Returns the original of a repost that adds nothing of its own: no text, no media. Such a repost
 * shows the counters and actions of its original. A quote is a post of its own.
 */
export function plainOriginal<T>(post: { text: string; media: readonly string[]; repostOf: T | null | undefined }): T | null {
  return post.text === '' && post.media.length === 0 ? (post.repostOf ?? null) : null;
}

interface Author {
  databaseId: string;
}

/**
 * Reports whether a viewer may repost a post, as far as the client knows: the server also looks at
 * the first post of a thread. A post for followers, or of a private account, is for its author to
 * repost; a reply in another's thread for followers is for no user.
 */
export function mayRepost(
  post: { audience: string; author: Author & { isPrivate: boolean }; replyTo: { author: Author } | null | undefined }, viewer: string | undefined,
): boolean {
  const isAuthor = post.author.databaseId === viewer;
  if (post.audience === 'PUBLIC') return isAuthor || !post.author.isPrivate;
  return isAuthor && (!post.replyTo || post.replyTo.author.databaseId === viewer);
}
