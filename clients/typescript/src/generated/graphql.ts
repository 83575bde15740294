/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A new list. */
export type CreateListInput = {
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /** Whether posts by members leave the home feed of the viewer; false by default. */
  exclusive?: boolean | null | undefined;
  /** Whether others may see the list; false by default. */
  isPublic?: boolean | null | undefined;
  /** The name: 1 to 200 code points with at least one visible character, without line breaks and control characters. */
  name: string;
};

/** The confirmation that the viewer's account is to be deleted. */
export type DeleteAccountInput = {
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /** The viewer's own handle, compared as by `user(handle:)`, so that no account is deleted by mistake. Any other is INVALID. */
  confirmHandle: string;
};

/** A post and its changes. An absent field changes nothing. */
export type EditPostInput = {
  /** Who the post is for from now on. It alone does not change `editedAt`, and comments and reposts keep theirs. INVALID for a comment or repost. */
  audience?: PostAudience | null | undefined;
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /** The global id of a post of the viewer. */
  postId: string;
  /** The new text: plain, at most 5,000 code points. A text without a visible character is INVALID, unless the post has media or is a repost. */
  text?: string | null | undefined;
};

/** A session to end. */
export type EndLiveInput = {
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /** The global id of a session of the viewer. */
  liveSessionId: string;
  /** The absolute https URL of the recording. Null and an empty text mean that there is none. */
  replayUrl?: string | null | undefined;
};

/** What has happened to a post in the viewer's home feed. */
export type HomeChangeKind =
  /**
   * The post is in the feed now. It has arrived since, or came back: by a follow, or by the
   * end of a mute, block or deletion. The client may have it already.
   */
  | 'ADDED'
  /** The post is in the feed and was edited. */
  | 'CHANGED'
  /** The post is not in the feed now. The client may never have had it. */
  | 'REMOVED'
  /** Anything may have changed: drop all entries and read the first page again. */
  | 'RESET';

/** A list. */
export type ListIdInput = {
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /** The global id of a list of the viewer. */
  listId: string;
};

/** Members of a list. */
export type ListMembersInput = {
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /** The global id of a list of the viewer. */
  listId: string;
  /** The global ids of at most 100 users. */
  userIds: Array<string>;
};

/** A session. */
export type LiveIdInput = {
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /** The global id of a session of the viewer. */
  liveSessionId: string;
};

/** The state of a live session. */
export type LiveState =
  /** The session has begun and has not ended. */
  | 'LIVE'
  /** The session has ended. `replayUrl` says whether there is a recording. */
  | 'REPLAY'
  /** The session is planned. */
  | 'UPCOMING';

/** Where the viewer has stopped reading the home feed. */
export type MarkHomeReadInput = {
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /** The cursor of an entry of the home feed. BAD_CURSOR if it is of another list. */
  cursor: string;
  /** The name of the device: at most 64 code points with at least one visible character. Calls without one share a position. An empty text counts as absent. */
  device?: string | null | undefined;
  /** The `syncToken` of the page, of the changes or of the event that the client holds, without a filter. BAD_CURSOR if it belongs to another viewer or to a feed with a filter. */
  syncToken: string;
};

/** One object that moderators decide on. Exactly one field must be given, or it is BAD_USER_INPUT. */
export type ModerationSubject = {
  /** The global id of a post. */
  postId?: string | null | undefined;
  /** The global id of a user. */
  userId?: string | null | undefined;
};

/** Who a post is for. A private account's posts are for its followers in any case. */
export type PostAudience =
  /** The followers of the post's author. Of a comment or repost, those of the author of the post that it answers or shares. */
  | 'FOLLOWERS'
  /** All users, and anonymous readers. */
  | 'PUBLIC';

/** A post. */
export type PostIdInput = {
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /** The global id of a post. */
  postId: string;
};

/** The kind of a post. */
export type PostKind =
  /** A reply to another post. */
  | 'COMMENT'
  /** A post of its own. */
  | 'POST'
  /** Another post, shared with or without a text. */
  | 'REPOST';

/** A post to publish. */
export type PublishPostInput = {
  /** Who the post is for; PUBLIC by default. INVALID with `replyTo` or `repostOf`, whose audience the post then has. */
  audience?: PostAudience | null | undefined;
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /** A key that makes retries safe, stored for a day per author. With a known key, the same input returns the first result; another input is CONFLICT. */
  idempotencyKey?: string | null | undefined;
  /** The language as a BCP 47 tag of at most 35 characters. A repost without text has that of its original by default. */
  language?: string | null | undefined;
  /** Absolute https URLs of at most 10 pictures and videos. */
  media?: Array<string> | null | undefined;
  /** The time of publication; now by default. A future time is INVALID. */
  publishedAt?: string | null | undefined;
  /** The global id of the post to reply to. Not together with `repostOf`. */
  replyTo?: string | null | undefined;
  /** The global id of the post to share. Not together with `replyTo`. Only its author may share a post that is for followers or of a private account; for others it is FORBIDDEN. */
  repostOf?: string | null | undefined;
  /** The text: plain, at most 5,000 code points. A text without a visible character is INVALID, unless `media` or `repostOf` is set. */
  text: string;
};

/** A session to move, and its new time. */
export type RescheduleLiveInput = {
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /** The global id of an upcoming session of the viewer. */
  liveSessionId: string;
  /** The planned start, as in ScheduleLiveInput. */
  scheduledAt: string;
};

/** A live session to announce. */
export type ScheduleLiveInput = {
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /** The planned start: at most 366 days ahead, and at most five minutes past. */
  scheduledAt: string;
  /** The title: 1 to 200 code points with at least one visible character. Line breaks, control characters and characters that change the text direction are INVALID. */
  title: string;
};

/** A user to suspend. */
export type SuspendUserInput = {
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /** Why: plain text of 1 to 500 code points. */
  reason: string;
  /** When the suspension ends by itself; never by default. A past time is INVALID. */
  until?: string | null | undefined;
  /** The global id of a user. */
  userId: string;
};

/** A post to take down. */
export type TakeDownPostInput = {
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /** The global id of a post. */
  postId: string;
  /** Why: plain text of 1 to 500 code points. The author reads it. */
  reason: string;
};

/** Changes of a list. Fields that are absent or null stay. */
export type UpdateListInput = {
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /** Whether posts by members leave the home feed of the viewer. A change of this, and of the members of such a list, resets its sync tokens. */
  exclusive?: boolean | null | undefined;
  /** Whether others may see the list. */
  isPublic?: boolean | null | undefined;
  /** The global id of a list of the viewer. */
  listId: string;
  /** The new name, as in `createList`. */
  name?: string | null | undefined;
};

/** Changes to a profile. An absent field changes nothing; null is not the same as absent. */
export type UpdateProfileInput = {
  /** The absolute https URL of the new picture. Null removes the picture. */
  avatarUrl?: string | null | undefined;
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /**
   * The new handle: 1 to 64 letters, marks and digits, `_`, `-` and `.`, with no `.` at an
   * end and no two in a row. All letters are of one script, except that Latin letters may
   * be mixed with Chinese, Japanese and Korean ones. A combining mark that is not part of a
   * letter, an invisible character and null are INVALID. Compatibility characters are
   * replaced: a full-width `ａ` by `a`.
   *
   * CONFLICT if another user has the handle or one that looks like it, or gave it up in the
   * last 30 days. The viewer may take back their own.
   */
  handle?: string | null | undefined;
  /** Whether the account is private. It may change twice a day; beyond that it is CONFLICT. Null is INVALID. */
  isPrivate?: boolean | null | undefined;
  /** The new name: 1 to 200 code points with at least one visible character. Line breaks, control characters, characters that change the text direction and null are INVALID. */
  name?: string | null | undefined;
};

/** Why a mutation was refused. */
export type UserErrorCode =
  /** The change contradicts the current state. */
  | 'CONFLICT'
  /** The viewer follows as many users as allowed. */
  | 'FOLLOW_LIMIT'
  /** The viewer sees the object, but may not change it; is suspended; or is no moderator. */
  | 'FORBIDDEN'
  /** The value breaks a rule of the field. */
  | 'INVALID'
  /** The object does not exist, or the viewer may not see it. */
  | 'NOT_FOUND'
  /** The value is longer than allowed. */
  | 'TOO_LONG';

/** A user. */
export type UserIdInput = {
  /** Any text. The payload returns it. */
  clientMutationId?: string | null | undefined;
  /** The global id of a user. */
  userId: string;
};

export type HomeFeedQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  kinds?: Array<PostKind> | PostKind | null | undefined;
  special?: boolean | null | undefined;
}>;


export type HomeFeedQuery = { viewer: { homeFeed: { syncToken: string | null, edges: Array<{ cursor: string, sortKey: string, node: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type HomeFeedWithSlotsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  kinds?: Array<PostKind> | PostKind | null | undefined;
}>;


export type HomeFeedWithSlotsQuery = { viewer: { homeFeed: { syncToken: string | null, slots: Array<{ id: string, after: string, source: string, content: Record<string, unknown> }>, edges: Array<{ cursor: string, sortKey: string, node: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type HomeFeedUpQueryVariables = Exact<{
  last: number;
  before?: string | null | undefined;
  kinds?: Array<PostKind> | PostKind | null | undefined;
  special?: boolean | null | undefined;
}>;


export type HomeFeedUpQuery = { viewer: { homeFeed: { syncToken: string | null, edges: Array<{ cursor: string, sortKey: string, node: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type HomeFeedIDsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  kinds?: Array<PostKind> | PostKind | null | undefined;
}>;


export type HomeFeedIDsQuery = { viewer: { homeFeed: { edges: Array<{ cursor: string, node: { databaseId: string } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type HomeFeedNewCountQueryVariables = Exact<{
  since: string;
  kinds?: Array<PostKind> | PostKind | null | undefined;
  special?: boolean | null | undefined;
}>;


export type HomeFeedNewCountQuery = { viewer: { homeFeed: { newCount: number } } | null };

export type HomeChangesQueryVariables = Exact<{
  since: string;
  first: number;
  downTo?: string | null | undefined;
  kinds?: Array<PostKind> | PostKind | null | undefined;
  special?: boolean | null | undefined;
}>;


export type HomeChangesQuery = { viewer: { homeChanges: { syncToken: string, hasMore: boolean, changes: Array<{ kind: HomeChangeKind, postId: string | null, edge: { cursor: string, sortKey: string, node: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } } | null }> } } | null };

export type ReadPositionQueryVariables = Exact<{
  device?: string | null | undefined;
}>;


export type ReadPositionQuery = { viewer: { readPosition: { cursor: string, syncToken: string, at: string, unread: number | null } | null } | null };

export type MarkHomeReadMutationVariables = Exact<{
  input: MarkHomeReadInput;
}>;


export type MarkHomeReadMutation = { markHomeRead: { readPosition: { cursor: string, syncToken: string, at: string, unread: number | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type LiveFeedQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type LiveFeedQuery = { viewer: { liveFeed: { snapshotAt: string, syncToken: string | null, edges: Array<{ cursor: string, sortKey: string, state: LiveState, node: { id: string, databaseId: string, title: string, state: LiveState, scheduledAt: string, startedAt: string | null, endedAt: string | null, replayUrl: string | null, host: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type LiveChangesQueryVariables = Exact<{
  since: string;
  first: number;
}>;


export type LiveChangesQuery = { viewer: { liveChanges: { syncToken: string, hasMore: boolean, changes: Array<{ kind: HomeChangeKind, liveSessionId: string | null, edge: { cursor: string, sortKey: string, state: LiveState, node: { id: string, databaseId: string, title: string, state: LiveState, scheduledAt: string, startedAt: string | null, endedAt: string | null, replayUrl: string | null, host: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } } } | null }> } } | null };

export type OutboxQueryVariables = Exact<{
  handle: string;
  first: number;
  after?: string | null | undefined;
  kinds?: Array<PostKind> | PostKind | null | undefined;
}>;


export type OutboxQuery = { user: { posts: { syncToken: string | null, edges: Array<{ cursor: string, sortKey: string, node: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type OutboxWithSlotsQueryVariables = Exact<{
  handle: string;
  first: number;
  after?: string | null | undefined;
  kinds?: Array<PostKind> | PostKind | null | undefined;
}>;


export type OutboxWithSlotsQuery = { user: { posts: { syncToken: string | null, slots: Array<{ id: string, after: string, source: string, content: Record<string, unknown> }>, edges: Array<{ cursor: string, sortKey: string, node: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type LiveSessionsQueryVariables = Exact<{
  handle: string;
  first: number;
  after?: string | null | undefined;
}>;


export type LiveSessionsQuery = { user: { liveSessions: { snapshotAt: string, syncToken: string | null, edges: Array<{ cursor: string, sortKey: string, state: LiveState, node: { id: string, databaseId: string, title: string, state: LiveState, scheduledAt: string, startedAt: string | null, endedAt: string | null, replayUrl: string | null, host: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type CommentsQueryVariables = Exact<{
  postId: string;
  first: number;
  after?: string | null | undefined;
}>;


export type CommentsQuery = { node:
    | { comments: { syncToken: string | null, edges: Array<{ cursor: string, sortKey: string, node: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } }
    | Record<PropertyKey, never>
   | null };

export type HomeFeedEdgesSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type HomeFeedEdgesSubscription = { homeFeedEdges: { cursor: string, sortKey: string, node: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } } };

export type HomeChangeEventsSubscriptionVariables = Exact<{
  since: string;
  kinds?: Array<PostKind> | PostKind | null | undefined;
  special?: boolean | null | undefined;
}>;


export type HomeChangeEventsSubscription = { homeChanges: { syncToken: string, hasMore: boolean, changes: Array<{ kind: HomeChangeKind, postId: string | null, edge: { cursor: string, sortKey: string, node: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } } | null }> } };

export type LiveChangeEventsSubscriptionVariables = Exact<{
  since: string;
}>;


export type LiveChangeEventsSubscription = { liveChanges: { syncToken: string, hasMore: boolean, changes: Array<{ kind: HomeChangeKind, liveSessionId: string | null, edge: { cursor: string, sortKey: string, state: LiveState, node: { id: string, databaseId: string, title: string, state: LiveState, scheduledAt: string, startedAt: string | null, endedAt: string | null, replayUrl: string | null, host: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } } } | null }> } };

export type AuthorFragment = { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean };

export type ProfileFragment = { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null };

export type ContentFragment = { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null };

export type SessionFragment = { id: string, databaseId: string, title: string, state: LiveState, scheduledAt: string, startedAt: string | null, endedAt: string | null, replayUrl: string | null, host: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } };

export type PagingFragment = { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null };

export type ContentEdgeFragment = { cursor: string, sortKey: string, node: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } };

export type ContentPageFragment = { syncToken: string | null, edges: Array<{ cursor: string, sortKey: string, node: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } };

export type SlotFragment = { id: string, after: string, source: string, content: Record<string, unknown> };

export type ChangePageFragment = { syncToken: string, hasMore: boolean, changes: Array<{ kind: HomeChangeKind, postId: string | null, edge: { cursor: string, sortKey: string, node: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } } | null }> };

export type SessionEdgeFragment = { cursor: string, sortKey: string, state: LiveState, node: { id: string, databaseId: string, title: string, state: LiveState, scheduledAt: string, startedAt: string | null, endedAt: string | null, replayUrl: string | null, host: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } } };

export type SessionPageFragment = { snapshotAt: string, syncToken: string | null, edges: Array<{ cursor: string, sortKey: string, state: LiveState, node: { id: string, databaseId: string, title: string, state: LiveState, scheduledAt: string, startedAt: string | null, endedAt: string | null, replayUrl: string | null, host: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } };

export type LiveChangePageFragment = { syncToken: string, hasMore: boolean, changes: Array<{ kind: HomeChangeKind, liveSessionId: string | null, edge: { cursor: string, sortKey: string, state: LiveState, node: { id: string, databaseId: string, title: string, state: LiveState, scheduledAt: string, startedAt: string | null, endedAt: string | null, replayUrl: string | null, host: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } } } | null }> };

export type UserPageFragment = { edges: Array<{ cursor: string, node: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } };

export type RefusalFragment = { code: UserErrorCode, message: string, field: Array<string> | null };

export type PositionFragment = { cursor: string, syncToken: string, at: string, unread: number | null };

export type AuthorListFragment = { id: string, name: string, isPublic: boolean, exclusive: boolean, memberCount: number };

export type ListsQueryVariables = Exact<{ [key: string]: never; }>;


export type ListsQuery = { viewer: { lists: Array<{ id: string, name: string, isPublic: boolean, exclusive: boolean, memberCount: number }> } | null };

export type ListFeedQueryVariables = Exact<{
  listId: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ListFeedQuery = { node:
    | { feed: { syncToken: string | null, edges: Array<{ cursor: string, sortKey: string, node: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } }
    | Record<PropertyKey, never>
   | null };

export type ListMembersQueryVariables = Exact<{
  listId: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ListMembersQuery = { node:
    | { members: { edges: Array<{ cursor: string, node: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } }
    | Record<PropertyKey, never>
   | null };

export type CreateListMutationVariables = Exact<{
  input: CreateListInput;
}>;


export type CreateListMutation = { createList: { list: { id: string, name: string, isPublic: boolean, exclusive: boolean, memberCount: number } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type UpdateListMutationVariables = Exact<{
  input: UpdateListInput;
}>;


export type UpdateListMutation = { updateList: { list: { id: string, name: string, isPublic: boolean, exclusive: boolean, memberCount: number } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type AddToListMutationVariables = Exact<{
  input: ListMembersInput;
}>;


export type AddToListMutation = { addToList: { list: { id: string, name: string, isPublic: boolean, exclusive: boolean, memberCount: number } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type RemoveFromListMutationVariables = Exact<{
  input: ListMembersInput;
}>;


export type RemoveFromListMutation = { removeFromList: { list: { id: string, name: string, isPublic: boolean, exclusive: boolean, memberCount: number } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type DeleteListMutationVariables = Exact<{
  input: ListIdInput;
}>;


export type DeleteListMutation = { deleteList: { deletedListId: string | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type ScheduleLiveMutationVariables = Exact<{
  input: ScheduleLiveInput;
}>;


export type ScheduleLiveMutation = { scheduleLive: { liveSession: { id: string, databaseId: string, title: string, state: LiveState, scheduledAt: string, startedAt: string | null, endedAt: string | null, replayUrl: string | null, host: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type RescheduleLiveMutationVariables = Exact<{
  input: RescheduleLiveInput;
}>;


export type RescheduleLiveMutation = { rescheduleLive: { liveSession: { id: string, databaseId: string, title: string, state: LiveState, scheduledAt: string, startedAt: string | null, endedAt: string | null, replayUrl: string | null, host: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type StartLiveMutationVariables = Exact<{
  input: LiveIdInput;
}>;


export type StartLiveMutation = { startLive: { liveSession: { id: string, databaseId: string, title: string, state: LiveState, scheduledAt: string, startedAt: string | null, endedAt: string | null, replayUrl: string | null, host: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type EndLiveMutationVariables = Exact<{
  input: EndLiveInput;
}>;


export type EndLiveMutation = { endLive: { liveSession: { id: string, databaseId: string, title: string, state: LiveState, scheduledAt: string, startedAt: string | null, endedAt: string | null, replayUrl: string | null, host: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type CancelLiveMutationVariables = Exact<{
  input: LiveIdInput;
}>;


export type CancelLiveMutation = { cancelLive: { liveSession: { id: string, databaseId: string, title: string, state: LiveState, scheduledAt: string, startedAt: string | null, endedAt: string | null, replayUrl: string | null, host: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type TakeDownPostMutationVariables = Exact<{
  input: TakeDownPostInput;
}>;


export type TakeDownPostMutation = { takeDownPost: { post: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type RestorePostMutationVariables = Exact<{
  input: PostIdInput;
}>;


export type RestorePostMutation = { restorePost: { post: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type SuspendUserMutationVariables = Exact<{
  input: SuspendUserInput;
}>;


export type SuspendUserMutation = { suspendUser: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type RestoreUserMutationVariables = Exact<{
  input: UserIdInput;
}>;


export type RestoreUserMutation = { restoreUser: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type ReadModerationLogQueryVariables = Exact<{
  subject?: ModerationSubject | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type ReadModerationLogQuery = { moderationLog: { nodes: Array<{ postId: string | null, postDatabaseId: string | null, userId: string | null, userDatabaseId: string | null, reason: string, by: string, at: string, until: string | null, liftedAt: string | null, liftedBy: string | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { viewer: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } } | null };

export type ByIdQueryVariables = Exact<{
  id: string;
}>;


export type ByIdQuery = { node:
    | { id: string }
    | { id: string, databaseId: string, title: string, state: LiveState, scheduledAt: string, startedAt: string | null, endedAt: string | null, replayUrl: string | null, host: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } }
    | { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null }
    | { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null }
   | null };

export type UserQueryVariables = Exact<{
  handle: string;
}>;


export type UserQuery = { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null };

export type SearchUsersQueryVariables = Exact<{
  query: string;
  first: number;
  after?: string | null | undefined;
}>;


export type SearchUsersQuery = { users: { edges: Array<{ cursor: string, node: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } };

export type FollowersQueryVariables = Exact<{
  handle: string;
  first: number;
  after?: string | null | undefined;
}>;


export type FollowersQuery = { user: { followers: { edges: Array<{ cursor: string, node: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type FollowingQueryVariables = Exact<{
  handle: string;
  first: number;
  after?: string | null | undefined;
}>;


export type FollowingQuery = { user: { following: { edges: Array<{ cursor: string, node: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type MutedUsersQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type MutedUsersQuery = { viewer: { mutedUsers: { edges: Array<{ cursor: string, node: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type HiddenFromUsersQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type HiddenFromUsersQuery = { viewer: { hiddenFromUsers: { edges: Array<{ cursor: string, node: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type BlockedUsersQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type BlockedUsersQuery = { viewer: { blockedUsers: { edges: Array<{ cursor: string, node: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type FollowRequestsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type FollowRequestsQuery = { viewer: { followRequests: { edges: Array<{ cursor: string, node: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type SentFollowRequestsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type SentFollowRequestsQuery = { viewer: { sentFollowRequests: { edges: Array<{ cursor: string, node: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type PublishPostMutationVariables = Exact<{
  input: PublishPostInput;
}>;


export type PublishPostMutation = { publishPost: { feedEdge: { cursor: string, sortKey: string, node: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type EditPostMutationVariables = Exact<{
  input: EditPostInput;
}>;


export type EditPostMutation = { editPost: { post: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type DeletePostMutationVariables = Exact<{
  input: PostIdInput;
}>;


export type DeletePostMutation = { deletePost: { deletedPostId: string | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type LikePostMutationVariables = Exact<{
  input: PostIdInput;
}>;


export type LikePostMutation = { likePost: { post: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type UnlikePostMutationVariables = Exact<{
  input: PostIdInput;
}>;


export type UnlikePostMutation = { unlikePost: { post: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type FavoritePostMutationVariables = Exact<{
  input: PostIdInput;
}>;


export type FavoritePostMutation = { favoritePost: { post: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type UnfavoritePostMutationVariables = Exact<{
  input: PostIdInput;
}>;


export type UnfavoritePostMutation = { unfavoritePost: { post: { id: string, databaseId: string, kind: PostKind, text: string, media: Array<string>, audience: PostAudience, customFields: Record<string, unknown> | null, publishedAt: string, editedAt: string | null, viewerHasLiked: boolean, viewerHasFavorited: boolean, author: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, viewerFollows: boolean }, counters: { likes: number, comments: number, reposts: number, favorites: number }, replyTo: { id: string } | null, repostOf: { id: string } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type FollowUserMutationVariables = Exact<{
  input: UserIdInput;
  special?: boolean | null | undefined;
  hideReposts?: boolean | null | undefined;
  hideReplies?: boolean | null | undefined;
}>;


export type FollowUserMutation = { followUser: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type UpdateFollowMutationVariables = Exact<{
  input: UserIdInput;
  special?: boolean | null | undefined;
  hideReposts?: boolean | null | undefined;
  hideReplies?: boolean | null | undefined;
}>;


export type UpdateFollowMutation = { updateFollow: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type UnfollowUserMutationVariables = Exact<{
  input: UserIdInput;
}>;


export type UnfollowUserMutation = { unfollowUser: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type AcceptFollowMutationVariables = Exact<{
  input: UserIdInput;
}>;


export type AcceptFollowMutation = { acceptFollow: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type RejectFollowMutationVariables = Exact<{
  input: UserIdInput;
}>;


export type RejectFollowMutation = { rejectFollow: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type RemoveFollowerMutationVariables = Exact<{
  input: UserIdInput;
}>;


export type RemoveFollowerMutation = { removeFollower: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type MuteUserMutationVariables = Exact<{
  input: UserIdInput;
  until?: string | null | undefined;
}>;


export type MuteUserMutation = { muteUser: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type UnmuteUserMutationVariables = Exact<{
  input: UserIdInput;
}>;


export type UnmuteUserMutation = { unmuteUser: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type HideFromUserMutationVariables = Exact<{
  input: UserIdInput;
}>;


export type HideFromUserMutation = { hideFromUser: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type UnhideFromUserMutationVariables = Exact<{
  input: UserIdInput;
}>;


export type UnhideFromUserMutation = { unhideFromUser: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type BlockUserMutationVariables = Exact<{
  input: UserIdInput;
}>;


export type BlockUserMutation = { blockUser: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type UnblockUserMutationVariables = Exact<{
  input: UserIdInput;
}>;


export type UnblockUserMutation = { unblockUser: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type UpdateProfileMutationVariables = Exact<{
  input: UpdateProfileInput;
}>;


export type UpdateProfileMutation = { updateProfile: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type RemoveAvatarMutationVariables = Exact<{ [key: string]: never; }>;


export type RemoveAvatarMutation = { updateProfile: { user: { id: string, databaseId: string, handle: string, name: string, avatarUrl: string | null, customFields: Record<string, unknown> | null, createdAt: string, isPrivate: boolean, viewerFollows: boolean, viewerFollowRequested: boolean, viewerCanSeePosts: boolean, viewerMutes: boolean, viewerHidesFrom: boolean, viewerBlocks: boolean, counters: { followers: number, following: number, posts: number }, viewerFollowOptions: { special: boolean, hideReposts: boolean, hideReplies: boolean } | null } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export type DeleteAccountMutationVariables = Exact<{
  input: DeleteAccountInput;
}>;


export type DeleteAccountMutation = { deleteAccount: { deletedUserId: string | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const ProfileFragmentDoc = new TypedDocumentString(`
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
    `, {"fragmentName":"Profile"}) as unknown as TypedDocumentString<ProfileFragment, unknown>;
export const AuthorFragmentDoc = new TypedDocumentString(`
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
    `, {"fragmentName":"Author"}) as unknown as TypedDocumentString<AuthorFragment, unknown>;
export const ContentFragmentDoc = new TypedDocumentString(`
    fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}`, {"fragmentName":"Content"}) as unknown as TypedDocumentString<ContentFragment, unknown>;
export const ContentEdgeFragmentDoc = new TypedDocumentString(`
    fragment ContentEdge on FeedEdge {
  cursor
  sortKey
  node {
    ...Content
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}`, {"fragmentName":"ContentEdge"}) as unknown as TypedDocumentString<ContentEdgeFragment, unknown>;
export const PagingFragmentDoc = new TypedDocumentString(`
    fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
    `, {"fragmentName":"Paging"}) as unknown as TypedDocumentString<PagingFragment, unknown>;
export const ContentPageFragmentDoc = new TypedDocumentString(`
    fragment ContentPage on FeedConnection {
  edges {
    ...ContentEdge
  }
  pageInfo {
    ...Paging
  }
  syncToken
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment ContentEdge on FeedEdge {
  cursor
  sortKey
  node {
    ...Content
  }
}`, {"fragmentName":"ContentPage"}) as unknown as TypedDocumentString<ContentPageFragment, unknown>;
export const SlotFragmentDoc = new TypedDocumentString(`
    fragment Slot on Slot {
  id
  after
  source
  content
}
    `, {"fragmentName":"Slot"}) as unknown as TypedDocumentString<SlotFragment, unknown>;
export const ChangePageFragmentDoc = new TypedDocumentString(`
    fragment ChangePage on HomeChangePage {
  changes {
    kind
    postId
    edge {
      ...ContentEdge
    }
  }
  syncToken
  hasMore
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment ContentEdge on FeedEdge {
  cursor
  sortKey
  node {
    ...Content
  }
}`, {"fragmentName":"ChangePage"}) as unknown as TypedDocumentString<ChangePageFragment, unknown>;
export const SessionFragmentDoc = new TypedDocumentString(`
    fragment Session on LiveSession {
  id
  databaseId
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    ...Author
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}`, {"fragmentName":"Session"}) as unknown as TypedDocumentString<SessionFragment, unknown>;
export const SessionEdgeFragmentDoc = new TypedDocumentString(`
    fragment SessionEdge on LiveEdge {
  cursor
  sortKey
  state
  node {
    ...Session
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Session on LiveSession {
  id
  databaseId
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    ...Author
  }
}`, {"fragmentName":"SessionEdge"}) as unknown as TypedDocumentString<SessionEdgeFragment, unknown>;
export const SessionPageFragmentDoc = new TypedDocumentString(`
    fragment SessionPage on LiveConnection {
  snapshotAt
  edges {
    ...SessionEdge
  }
  pageInfo {
    ...Paging
  }
  syncToken
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Session on LiveSession {
  id
  databaseId
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    ...Author
  }
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment SessionEdge on LiveEdge {
  cursor
  sortKey
  state
  node {
    ...Session
  }
}`, {"fragmentName":"SessionPage"}) as unknown as TypedDocumentString<SessionPageFragment, unknown>;
export const LiveChangePageFragmentDoc = new TypedDocumentString(`
    fragment LiveChangePage on LiveChangePage {
  changes {
    kind
    liveSessionId
    edge {
      ...SessionEdge
    }
  }
  syncToken
  hasMore
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Session on LiveSession {
  id
  databaseId
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    ...Author
  }
}
fragment SessionEdge on LiveEdge {
  cursor
  sortKey
  state
  node {
    ...Session
  }
}`, {"fragmentName":"LiveChangePage"}) as unknown as TypedDocumentString<LiveChangePageFragment, unknown>;
export const UserPageFragmentDoc = new TypedDocumentString(`
    fragment UserPage on UserConnection {
  edges {
    cursor
    node {
      ...Author
    }
  }
  pageInfo {
    ...Paging
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`, {"fragmentName":"UserPage"}) as unknown as TypedDocumentString<UserPageFragment, unknown>;
export const RefusalFragmentDoc = new TypedDocumentString(`
    fragment Refusal on UserError {
  code
  message
  field
}
    `, {"fragmentName":"Refusal"}) as unknown as TypedDocumentString<RefusalFragment, unknown>;
export const PositionFragmentDoc = new TypedDocumentString(`
    fragment Position on ReadPosition {
  cursor
  syncToken
  at
  unread
}
    `, {"fragmentName":"Position"}) as unknown as TypedDocumentString<PositionFragment, unknown>;
export const AuthorListFragmentDoc = new TypedDocumentString(`
    fragment AuthorList on AuthorList {
  id
  name
  isPublic
  exclusive
  memberCount
}
    `, {"fragmentName":"AuthorList"}) as unknown as TypedDocumentString<AuthorListFragment, unknown>;
export const HomeFeedDocument = new TypedDocumentString(`
    query HomeFeed($first: Int!, $after: String, $kinds: [PostKind!], $special: Boolean) {
  viewer {
    homeFeed(first: $first, after: $after, kinds: $kinds, special: $special) {
      ...ContentPage
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment ContentEdge on FeedEdge {
  cursor
  sortKey
  node {
    ...Content
  }
}
fragment ContentPage on FeedConnection {
  edges {
    ...ContentEdge
  }
  pageInfo {
    ...Paging
  }
  syncToken
}`, {"hash":"sha256:8170dd5364cf143920da34ffbcfd19347ae0d258e4e66d86952ce6bc78b71dac"}) as unknown as TypedDocumentString<HomeFeedQuery, HomeFeedQueryVariables>;
export const HomeFeedWithSlotsDocument = new TypedDocumentString(`
    query HomeFeedWithSlots($first: Int!, $after: String, $kinds: [PostKind!]) {
  viewer {
    homeFeed(first: $first, after: $after, kinds: $kinds) {
      ...ContentPage
      slots {
        ...Slot
      }
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment ContentEdge on FeedEdge {
  cursor
  sortKey
  node {
    ...Content
  }
}
fragment ContentPage on FeedConnection {
  edges {
    ...ContentEdge
  }
  pageInfo {
    ...Paging
  }
  syncToken
}
fragment Slot on Slot {
  id
  after
  source
  content
}`, {"hash":"sha256:80e8127d1a0d8faff2e3af1c21a5f3c6ec91a9f0f13700fb440bb6dc27714bc5"}) as unknown as TypedDocumentString<HomeFeedWithSlotsQuery, HomeFeedWithSlotsQueryVariables>;
export const HomeFeedUpDocument = new TypedDocumentString(`
    query HomeFeedUp($last: Int!, $before: String, $kinds: [PostKind!], $special: Boolean) {
  viewer {
    homeFeed(last: $last, before: $before, kinds: $kinds, special: $special) {
      ...ContentPage
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment ContentEdge on FeedEdge {
  cursor
  sortKey
  node {
    ...Content
  }
}
fragment ContentPage on FeedConnection {
  edges {
    ...ContentEdge
  }
  pageInfo {
    ...Paging
  }
  syncToken
}`, {"hash":"sha256:fc5a385f1df6d99f5cda62eaa390917c4c305eb6139f11a47db183d9029245ae"}) as unknown as TypedDocumentString<HomeFeedUpQuery, HomeFeedUpQueryVariables>;
export const HomeFeedIDsDocument = new TypedDocumentString(`
    query HomeFeedIDs($first: Int!, $after: String, $kinds: [PostKind!]) {
  viewer {
    homeFeed(first: $first, after: $after, kinds: $kinds) {
      edges {
        cursor
        node {
          databaseId
        }
      }
      pageInfo {
        ...Paging
      }
    }
  }
}
    fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`, {"hash":"sha256:1796e7dac8303a1116a5937b38c1ad7141a19c93782f542694bc3f256674c018"}) as unknown as TypedDocumentString<HomeFeedIDsQuery, HomeFeedIDsQueryVariables>;
export const HomeFeedNewCountDocument = new TypedDocumentString(`
    query HomeFeedNewCount($since: String!, $kinds: [PostKind!], $special: Boolean) {
  viewer {
    homeFeed(first: 0, kinds: $kinds, special: $special) {
      newCount(since: $since)
    }
  }
}
    `, {"hash":"sha256:ec8c74107f52b78ca6c6ef0aeb5ecf6a9aad0176e4618c60c30c9c556d8038ef"}) as unknown as TypedDocumentString<HomeFeedNewCountQuery, HomeFeedNewCountQueryVariables>;
export const HomeChangesDocument = new TypedDocumentString(`
    query HomeChanges($since: String!, $first: Int!, $downTo: String, $kinds: [PostKind!], $special: Boolean) {
  viewer {
    homeChanges(
      since: $since
      first: $first
      downTo: $downTo
      kinds: $kinds
      special: $special
    ) {
      ...ChangePage
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment ContentEdge on FeedEdge {
  cursor
  sortKey
  node {
    ...Content
  }
}
fragment ChangePage on HomeChangePage {
  changes {
    kind
    postId
    edge {
      ...ContentEdge
    }
  }
  syncToken
  hasMore
}`, {"hash":"sha256:f9f39f24fdfdcab46f85911b2f590d8c5717c9fcde38157ebcfff0beed602112"}) as unknown as TypedDocumentString<HomeChangesQuery, HomeChangesQueryVariables>;
export const ReadPositionDocument = new TypedDocumentString(`
    query ReadPosition($device: String) {
  viewer {
    readPosition(device: $device) {
      ...Position
    }
  }
}
    fragment Position on ReadPosition {
  cursor
  syncToken
  at
  unread
}`, {"hash":"sha256:958acbed126507f08126ef8377969c20f06c957563111c189635adbbc02c2ba9"}) as unknown as TypedDocumentString<ReadPositionQuery, ReadPositionQueryVariables>;
export const MarkHomeReadDocument = new TypedDocumentString(`
    mutation MarkHomeRead($input: MarkHomeReadInput!) {
  markHomeRead(input: $input) {
    readPosition {
      ...Position
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Refusal on UserError {
  code
  message
  field
}
fragment Position on ReadPosition {
  cursor
  syncToken
  at
  unread
}`, {"hash":"sha256:cb24c2849c584fa3e820a7b0907968aefe264edaf401bdd142a8041930f24044"}) as unknown as TypedDocumentString<MarkHomeReadMutation, MarkHomeReadMutationVariables>;
export const LiveFeedDocument = new TypedDocumentString(`
    query LiveFeed($first: Int!, $after: String) {
  viewer {
    liveFeed(first: $first, after: $after) {
      ...SessionPage
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Session on LiveSession {
  id
  databaseId
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    ...Author
  }
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment SessionEdge on LiveEdge {
  cursor
  sortKey
  state
  node {
    ...Session
  }
}
fragment SessionPage on LiveConnection {
  snapshotAt
  edges {
    ...SessionEdge
  }
  pageInfo {
    ...Paging
  }
  syncToken
}`, {"hash":"sha256:997e7c173b237d4742107eee5c4edea285815444ed64a846247a46aacfcd4020"}) as unknown as TypedDocumentString<LiveFeedQuery, LiveFeedQueryVariables>;
export const LiveChangesDocument = new TypedDocumentString(`
    query LiveChanges($since: String!, $first: Int!) {
  viewer {
    liveChanges(since: $since, first: $first) {
      ...LiveChangePage
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Session on LiveSession {
  id
  databaseId
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    ...Author
  }
}
fragment SessionEdge on LiveEdge {
  cursor
  sortKey
  state
  node {
    ...Session
  }
}
fragment LiveChangePage on LiveChangePage {
  changes {
    kind
    liveSessionId
    edge {
      ...SessionEdge
    }
  }
  syncToken
  hasMore
}`, {"hash":"sha256:c76cee1822b1dd3b550f120adea2fc0bda83e82acae094417a6865828f95a082"}) as unknown as TypedDocumentString<LiveChangesQuery, LiveChangesQueryVariables>;
export const OutboxDocument = new TypedDocumentString(`
    query Outbox($handle: String!, $first: Int!, $after: String, $kinds: [PostKind!]) {
  user(handle: $handle) {
    posts(first: $first, after: $after, kinds: $kinds) {
      ...ContentPage
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment ContentEdge on FeedEdge {
  cursor
  sortKey
  node {
    ...Content
  }
}
fragment ContentPage on FeedConnection {
  edges {
    ...ContentEdge
  }
  pageInfo {
    ...Paging
  }
  syncToken
}`, {"hash":"sha256:d8dfe26617fe50531da6ad8da902a48928408996ce830c3d9bdeb6509e6fb599"}) as unknown as TypedDocumentString<OutboxQuery, OutboxQueryVariables>;
export const OutboxWithSlotsDocument = new TypedDocumentString(`
    query OutboxWithSlots($handle: String!, $first: Int!, $after: String, $kinds: [PostKind!]) {
  user(handle: $handle) {
    posts(first: $first, after: $after, kinds: $kinds) {
      ...ContentPage
      slots {
        ...Slot
      }
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment ContentEdge on FeedEdge {
  cursor
  sortKey
  node {
    ...Content
  }
}
fragment ContentPage on FeedConnection {
  edges {
    ...ContentEdge
  }
  pageInfo {
    ...Paging
  }
  syncToken
}
fragment Slot on Slot {
  id
  after
  source
  content
}`, {"hash":"sha256:303201f12c15fb819f55786be7f029b27fb91bd9793553c3473e86db13cf3126"}) as unknown as TypedDocumentString<OutboxWithSlotsQuery, OutboxWithSlotsQueryVariables>;
export const LiveSessionsDocument = new TypedDocumentString(`
    query LiveSessions($handle: String!, $first: Int!, $after: String) {
  user(handle: $handle) {
    liveSessions(first: $first, after: $after) {
      ...SessionPage
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Session on LiveSession {
  id
  databaseId
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    ...Author
  }
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment SessionEdge on LiveEdge {
  cursor
  sortKey
  state
  node {
    ...Session
  }
}
fragment SessionPage on LiveConnection {
  snapshotAt
  edges {
    ...SessionEdge
  }
  pageInfo {
    ...Paging
  }
  syncToken
}`, {"hash":"sha256:b485fdb94dcd14ee0c1d498fb79beacfde32cafc15749535c8a71b82c5431378"}) as unknown as TypedDocumentString<LiveSessionsQuery, LiveSessionsQueryVariables>;
export const CommentsDocument = new TypedDocumentString(`
    query Comments($postId: ID!, $first: Int!, $after: String) {
  node(id: $postId) {
    ... on Post {
      comments(first: $first, after: $after) {
        ...ContentPage
      }
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment ContentEdge on FeedEdge {
  cursor
  sortKey
  node {
    ...Content
  }
}
fragment ContentPage on FeedConnection {
  edges {
    ...ContentEdge
  }
  pageInfo {
    ...Paging
  }
  syncToken
}`, {"hash":"sha256:655567ae42e7d905cdde89881a55d178f04bb26201c538e8a6bd54309e4395af"}) as unknown as TypedDocumentString<CommentsQuery, CommentsQueryVariables>;
export const HomeFeedEdgesDocument = new TypedDocumentString(`
    subscription homeFeedEdges {
  homeFeedEdges {
    ...ContentEdge
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment ContentEdge on FeedEdge {
  cursor
  sortKey
  node {
    ...Content
  }
}`, {"hash":"sha256:f0301b3f1e564598ee5808fbd143a0e88157ec3badcd1ad88575649cb8f78dba"}) as unknown as TypedDocumentString<HomeFeedEdgesSubscription, HomeFeedEdgesSubscriptionVariables>;
export const HomeChangeEventsDocument = new TypedDocumentString(`
    subscription homeChangeEvents($since: String!, $kinds: [PostKind!], $special: Boolean) {
  homeChanges(since: $since, kinds: $kinds, special: $special) {
    ...ChangePage
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment ContentEdge on FeedEdge {
  cursor
  sortKey
  node {
    ...Content
  }
}
fragment ChangePage on HomeChangePage {
  changes {
    kind
    postId
    edge {
      ...ContentEdge
    }
  }
  syncToken
  hasMore
}`, {"hash":"sha256:67c5efef00d3ca2a4f06c712a20e69c3295b4f0c4a51598873f0f6c86dde5698"}) as unknown as TypedDocumentString<HomeChangeEventsSubscription, HomeChangeEventsSubscriptionVariables>;
export const LiveChangeEventsDocument = new TypedDocumentString(`
    subscription liveChangeEvents($since: String!) {
  liveChanges(since: $since) {
    ...LiveChangePage
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Session on LiveSession {
  id
  databaseId
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    ...Author
  }
}
fragment SessionEdge on LiveEdge {
  cursor
  sortKey
  state
  node {
    ...Session
  }
}
fragment LiveChangePage on LiveChangePage {
  changes {
    kind
    liveSessionId
    edge {
      ...SessionEdge
    }
  }
  syncToken
  hasMore
}`, {"hash":"sha256:88b0efea789aa15666897bc7820c3dee8af24b006c1f7439c4568202631f41d1"}) as unknown as TypedDocumentString<LiveChangeEventsSubscription, LiveChangeEventsSubscriptionVariables>;
export const ListsDocument = new TypedDocumentString(`
    query Lists {
  viewer {
    lists {
      ...AuthorList
    }
  }
}
    fragment AuthorList on AuthorList {
  id
  name
  isPublic
  exclusive
  memberCount
}`, {"hash":"sha256:f1083dab0ec677d9e577594cfcb647b49045f858bef2b24bb0dfae74c30edb02"}) as unknown as TypedDocumentString<ListsQuery, ListsQueryVariables>;
export const ListFeedDocument = new TypedDocumentString(`
    query ListFeed($listId: ID!, $first: Int!, $after: String) {
  node(id: $listId) {
    ... on AuthorList {
      feed(first: $first, after: $after) {
        ...ContentPage
      }
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment ContentEdge on FeedEdge {
  cursor
  sortKey
  node {
    ...Content
  }
}
fragment ContentPage on FeedConnection {
  edges {
    ...ContentEdge
  }
  pageInfo {
    ...Paging
  }
  syncToken
}`, {"hash":"sha256:77b5f4f2f931fe5d4eb6a60f77394f570901bba5aebc47c1f7b620c31f3e2667"}) as unknown as TypedDocumentString<ListFeedQuery, ListFeedQueryVariables>;
export const ListMembersDocument = new TypedDocumentString(`
    query ListMembers($listId: ID!, $first: Int!, $after: String) {
  node(id: $listId) {
    ... on AuthorList {
      members(first: $first, after: $after) {
        ...UserPage
      }
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment UserPage on UserConnection {
  edges {
    cursor
    node {
      ...Author
    }
  }
  pageInfo {
    ...Paging
  }
}`, {"hash":"sha256:75413806fe08984e31a3eb40c25318cdd699679f5a691cf9729f1a677d23e696"}) as unknown as TypedDocumentString<ListMembersQuery, ListMembersQueryVariables>;
export const CreateListDocument = new TypedDocumentString(`
    mutation CreateList($input: CreateListInput!) {
  createList(input: $input) {
    list {
      ...AuthorList
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Refusal on UserError {
  code
  message
  field
}
fragment AuthorList on AuthorList {
  id
  name
  isPublic
  exclusive
  memberCount
}`, {"hash":"sha256:683403b546106df25bf06f3a640dba5d56eeda77d1a80a0ee59a5143d85a7d72"}) as unknown as TypedDocumentString<CreateListMutation, CreateListMutationVariables>;
export const UpdateListDocument = new TypedDocumentString(`
    mutation UpdateList($input: UpdateListInput!) {
  updateList(input: $input) {
    list {
      ...AuthorList
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Refusal on UserError {
  code
  message
  field
}
fragment AuthorList on AuthorList {
  id
  name
  isPublic
  exclusive
  memberCount
}`, {"hash":"sha256:f276c54396586be78ea3eeb67f5f7d0bdec8169c697f5065a13d5773733edb67"}) as unknown as TypedDocumentString<UpdateListMutation, UpdateListMutationVariables>;
export const AddToListDocument = new TypedDocumentString(`
    mutation AddToList($input: ListMembersInput!) {
  addToList(input: $input) {
    list {
      ...AuthorList
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Refusal on UserError {
  code
  message
  field
}
fragment AuthorList on AuthorList {
  id
  name
  isPublic
  exclusive
  memberCount
}`, {"hash":"sha256:b8130b9caac23281fe8ca06b972dbfff1aa4a22dab43cf109c02b33948041369"}) as unknown as TypedDocumentString<AddToListMutation, AddToListMutationVariables>;
export const RemoveFromListDocument = new TypedDocumentString(`
    mutation RemoveFromList($input: ListMembersInput!) {
  removeFromList(input: $input) {
    list {
      ...AuthorList
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Refusal on UserError {
  code
  message
  field
}
fragment AuthorList on AuthorList {
  id
  name
  isPublic
  exclusive
  memberCount
}`, {"hash":"sha256:020718d1aaeb37830ff88e178af8b501b9fec7cf0aa5c003a9b8c548f2699084"}) as unknown as TypedDocumentString<RemoveFromListMutation, RemoveFromListMutationVariables>;
export const DeleteListDocument = new TypedDocumentString(`
    mutation DeleteList($input: ListIdInput!) {
  deleteList(input: $input) {
    deletedListId
    userErrors {
      ...Refusal
    }
  }
}
    fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:f41a5a40b2efaf550cda22309db8c6c3e35850c37ae5656b06d83af61b024857"}) as unknown as TypedDocumentString<DeleteListMutation, DeleteListMutationVariables>;
export const ScheduleLiveDocument = new TypedDocumentString(`
    mutation ScheduleLive($input: ScheduleLiveInput!) {
  scheduleLive(input: $input) {
    liveSession {
      ...Session
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Session on LiveSession {
  id
  databaseId
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    ...Author
  }
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:91239bf2b64a86edbffac8cc1030f03ed0efccd1f1e69da7230ae4eb16e0e553"}) as unknown as TypedDocumentString<ScheduleLiveMutation, ScheduleLiveMutationVariables>;
export const RescheduleLiveDocument = new TypedDocumentString(`
    mutation RescheduleLive($input: RescheduleLiveInput!) {
  rescheduleLive(input: $input) {
    liveSession {
      ...Session
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Session on LiveSession {
  id
  databaseId
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    ...Author
  }
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:0a7a23de3939b33f8db000386de2867bd8912155c7f24e9d2eab7e5cf70ad94d"}) as unknown as TypedDocumentString<RescheduleLiveMutation, RescheduleLiveMutationVariables>;
export const StartLiveDocument = new TypedDocumentString(`
    mutation StartLive($input: LiveIdInput!) {
  startLive(input: $input) {
    liveSession {
      ...Session
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Session on LiveSession {
  id
  databaseId
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    ...Author
  }
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:d04293dbe7fa5f016d1f2626b0da7432cac10e9fe5461977b8eddd69975a5c50"}) as unknown as TypedDocumentString<StartLiveMutation, StartLiveMutationVariables>;
export const EndLiveDocument = new TypedDocumentString(`
    mutation EndLive($input: EndLiveInput!) {
  endLive(input: $input) {
    liveSession {
      ...Session
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Session on LiveSession {
  id
  databaseId
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    ...Author
  }
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:d4a2f2c40fc42d36a992dfbddf321a5f9f1eb74b10074b8f2e5b09098d9079d1"}) as unknown as TypedDocumentString<EndLiveMutation, EndLiveMutationVariables>;
export const CancelLiveDocument = new TypedDocumentString(`
    mutation CancelLive($input: LiveIdInput!) {
  cancelLive(input: $input) {
    liveSession {
      ...Session
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Session on LiveSession {
  id
  databaseId
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    ...Author
  }
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:6660211af3d1080e3ddd11953707c6dd79a97ccf83dce5fc127e5aa08831c6e6"}) as unknown as TypedDocumentString<CancelLiveMutation, CancelLiveMutationVariables>;
export const TakeDownPostDocument = new TypedDocumentString(`
    mutation TakeDownPost($input: TakeDownPostInput!) {
  takeDownPost(input: $input) {
    post {
      ...Content
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:da45c8d3de6f6e99fd7a11f2631b7e6d1be8ef8660a09f740a43263f728e1930"}) as unknown as TypedDocumentString<TakeDownPostMutation, TakeDownPostMutationVariables>;
export const RestorePostDocument = new TypedDocumentString(`
    mutation RestorePost($input: PostIdInput!) {
  restorePost(input: $input) {
    post {
      ...Content
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:1cc147a6292b02fd281893461c3f849b6614d9a2b07c63b9e55a3d29afd43db8"}) as unknown as TypedDocumentString<RestorePostMutation, RestorePostMutationVariables>;
export const SuspendUserDocument = new TypedDocumentString(`
    mutation SuspendUser($input: SuspendUserInput!) {
  suspendUser(input: $input) {
    user {
      ...Profile
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:78df885e762cb5152f4aedc28c78b3752d0fea4b884775205dda0938ce2e925a"}) as unknown as TypedDocumentString<SuspendUserMutation, SuspendUserMutationVariables>;
export const RestoreUserDocument = new TypedDocumentString(`
    mutation RestoreUser($input: UserIdInput!) {
  restoreUser(input: $input) {
    user {
      ...Profile
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:fd53216f3afeea908b756856b94b46546a093965a6b4a1978e4183c4affefc5e"}) as unknown as TypedDocumentString<RestoreUserMutation, RestoreUserMutationVariables>;
export const ReadModerationLogDocument = new TypedDocumentString(`
    query ReadModerationLog($subject: ModerationSubject, $first: Int!, $after: String) {
  moderationLog(subject: $subject, first: $first, after: $after) {
    nodes {
      postId
      postDatabaseId
      userId
      userDatabaseId
      reason
      by
      at
      until
      liftedAt
      liftedBy
    }
    pageInfo {
      ...Paging
    }
  }
}
    fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}`, {"hash":"sha256:3077a07871d414cfd5017be3f6a2afb4f6af2e4eeb200d772fcf82cea4e1c5b5"}) as unknown as TypedDocumentString<ReadModerationLogQuery, ReadModerationLogQueryVariables>;
export const MeDocument = new TypedDocumentString(`
    query Me {
  viewer {
    user {
      ...Profile
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}`, {"hash":"sha256:50174721a342661581c5d69ae82f3316f729f842b994e841d9c964ed40a7cda1"}) as unknown as TypedDocumentString<MeQuery, MeQueryVariables>;
export const ByIdDocument = new TypedDocumentString(`
    query ByID($id: ID!) {
  node(id: $id) {
    id
    ...Content
    ...Profile
    ...Session
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment Session on LiveSession {
  id
  databaseId
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    ...Author
  }
}`, {"hash":"sha256:9823ff16f4426032ab932ab8eaf60c54a1fbef32a598943a6086b3fa8164b09d"}) as unknown as TypedDocumentString<ByIdQuery, ByIdQueryVariables>;
export const UserDocument = new TypedDocumentString(`
    query User($handle: String!) {
  user(handle: $handle) {
    ...Profile
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}`, {"hash":"sha256:e8ff854a18d533e02135ff35924bdea7a957505426cd5d412f548bdbac337e89"}) as unknown as TypedDocumentString<UserQuery, UserQueryVariables>;
export const SearchUsersDocument = new TypedDocumentString(`
    query SearchUsers($query: String!, $first: Int!, $after: String) {
  users(query: $query, first: $first, after: $after) {
    ...UserPage
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment UserPage on UserConnection {
  edges {
    cursor
    node {
      ...Author
    }
  }
  pageInfo {
    ...Paging
  }
}`, {"hash":"sha256:af5b812f61b03e9398a00b4b545e99d52c401ada54c4d6c2275ad02986c864ae"}) as unknown as TypedDocumentString<SearchUsersQuery, SearchUsersQueryVariables>;
export const FollowersDocument = new TypedDocumentString(`
    query Followers($handle: String!, $first: Int!, $after: String) {
  user(handle: $handle) {
    followers(first: $first, after: $after) {
      ...UserPage
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment UserPage on UserConnection {
  edges {
    cursor
    node {
      ...Author
    }
  }
  pageInfo {
    ...Paging
  }
}`, {"hash":"sha256:5bab5e94c548e20b4cbd45c468689f2df9e6dafa6677b87d37d4e19059a2cb33"}) as unknown as TypedDocumentString<FollowersQuery, FollowersQueryVariables>;
export const FollowingDocument = new TypedDocumentString(`
    query Following($handle: String!, $first: Int!, $after: String) {
  user(handle: $handle) {
    following(first: $first, after: $after) {
      ...UserPage
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment UserPage on UserConnection {
  edges {
    cursor
    node {
      ...Author
    }
  }
  pageInfo {
    ...Paging
  }
}`, {"hash":"sha256:558aadb9597a58378f2b709093ea7c068e72dcf18df6ba8c5751e5c7a6da1434"}) as unknown as TypedDocumentString<FollowingQuery, FollowingQueryVariables>;
export const MutedUsersDocument = new TypedDocumentString(`
    query MutedUsers($first: Int!, $after: String) {
  viewer {
    mutedUsers(first: $first, after: $after) {
      ...UserPage
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment UserPage on UserConnection {
  edges {
    cursor
    node {
      ...Author
    }
  }
  pageInfo {
    ...Paging
  }
}`, {"hash":"sha256:e33b075aa3ac6804ba587da18b13fd572160bef00c39ee4767ee6c0bdd867612"}) as unknown as TypedDocumentString<MutedUsersQuery, MutedUsersQueryVariables>;
export const HiddenFromUsersDocument = new TypedDocumentString(`
    query HiddenFromUsers($first: Int!, $after: String) {
  viewer {
    hiddenFromUsers(first: $first, after: $after) {
      ...UserPage
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment UserPage on UserConnection {
  edges {
    cursor
    node {
      ...Author
    }
  }
  pageInfo {
    ...Paging
  }
}`, {"hash":"sha256:b67fff01cc21d21316405ac9b39fb24333535a21d0081f46b8b1ecdb62fba50f"}) as unknown as TypedDocumentString<HiddenFromUsersQuery, HiddenFromUsersQueryVariables>;
export const BlockedUsersDocument = new TypedDocumentString(`
    query BlockedUsers($first: Int!, $after: String) {
  viewer {
    blockedUsers(first: $first, after: $after) {
      ...UserPage
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment UserPage on UserConnection {
  edges {
    cursor
    node {
      ...Author
    }
  }
  pageInfo {
    ...Paging
  }
}`, {"hash":"sha256:1d268f5dd2a6d3161f6438b980a1b17aeba2f76c9729371670a0ee33179e9a4e"}) as unknown as TypedDocumentString<BlockedUsersQuery, BlockedUsersQueryVariables>;
export const FollowRequestsDocument = new TypedDocumentString(`
    query FollowRequests($first: Int!, $after: String) {
  viewer {
    followRequests(first: $first, after: $after) {
      ...UserPage
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment UserPage on UserConnection {
  edges {
    cursor
    node {
      ...Author
    }
  }
  pageInfo {
    ...Paging
  }
}`, {"hash":"sha256:d0a7d4be675c434b37361e4555f54462e53b9da9feed469a37a42d9eaf98dc45"}) as unknown as TypedDocumentString<FollowRequestsQuery, FollowRequestsQueryVariables>;
export const SentFollowRequestsDocument = new TypedDocumentString(`
    query SentFollowRequests($first: Int!, $after: String) {
  viewer {
    sentFollowRequests(first: $first, after: $after) {
      ...UserPage
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Paging on PageInfo {
  hasNextPage
  hasPreviousPage
  startCursor
  endCursor
}
fragment UserPage on UserConnection {
  edges {
    cursor
    node {
      ...Author
    }
  }
  pageInfo {
    ...Paging
  }
}`, {"hash":"sha256:a721bcff2ebd6cfd1aef49f288fa941fadd4718468e0d01372a939c218cae217"}) as unknown as TypedDocumentString<SentFollowRequestsQuery, SentFollowRequestsQueryVariables>;
export const PublishPostDocument = new TypedDocumentString(`
    mutation PublishPost($input: PublishPostInput!) {
  publishPost(input: $input) {
    feedEdge {
      ...ContentEdge
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment ContentEdge on FeedEdge {
  cursor
  sortKey
  node {
    ...Content
  }
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:f218b3a09da85597dc4bbccccb14f227af0bd12b3b24e0af1b5c6f587ea059d0"}) as unknown as TypedDocumentString<PublishPostMutation, PublishPostMutationVariables>;
export const EditPostDocument = new TypedDocumentString(`
    mutation EditPost($input: EditPostInput!) {
  editPost(input: $input) {
    post {
      ...Content
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:da6d90381cf3c3eec111a45ae78591e69d5bb7635991a36af828addb931c96ad"}) as unknown as TypedDocumentString<EditPostMutation, EditPostMutationVariables>;
export const DeletePostDocument = new TypedDocumentString(`
    mutation DeletePost($input: PostIdInput!) {
  deletePost(input: $input) {
    deletedPostId
    userErrors {
      ...Refusal
    }
  }
}
    fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:b0b9c253e0a01163bdb59234bf84cf8727a74271c4c4576ccf0480a421a2f0f6"}) as unknown as TypedDocumentString<DeletePostMutation, DeletePostMutationVariables>;
export const LikePostDocument = new TypedDocumentString(`
    mutation LikePost($input: PostIdInput!) {
  likePost(input: $input) {
    post {
      ...Content
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:817da45eaa95260413edc270c8f8e85698d5c8f0b0f70c7a65b6fd3f37c2d104"}) as unknown as TypedDocumentString<LikePostMutation, LikePostMutationVariables>;
export const UnlikePostDocument = new TypedDocumentString(`
    mutation UnlikePost($input: PostIdInput!) {
  unlikePost(input: $input) {
    post {
      ...Content
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:feceae9651121f86f2e7041ed5103509b85745866dc68c19b248671d1aa7fecd"}) as unknown as TypedDocumentString<UnlikePostMutation, UnlikePostMutationVariables>;
export const FavoritePostDocument = new TypedDocumentString(`
    mutation FavoritePost($input: PostIdInput!) {
  favoritePost(input: $input) {
    post {
      ...Content
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:fdb1fba2fb2633f74efcb976b8b5c43d0c342996b6fe59ba4314d2d722eafee8"}) as unknown as TypedDocumentString<FavoritePostMutation, FavoritePostMutationVariables>;
export const UnfavoritePostDocument = new TypedDocumentString(`
    mutation UnfavoritePost($input: PostIdInput!) {
  unfavoritePost(input: $input) {
    post {
      ...Content
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Author on User {
  id
  databaseId
  handle
  name
  avatarUrl
  viewerFollows
}
fragment Content on Post {
  id
  databaseId
  kind
  text
  media
  audience
  customFields
  publishedAt
  editedAt
  author {
    ...Author
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
  replyTo {
    id
  }
  repostOf {
    id
  }
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:12932e01aa948cc2c3b3162a64d2027c57de08187a87b2f978280a4dd9195075"}) as unknown as TypedDocumentString<UnfavoritePostMutation, UnfavoritePostMutationVariables>;
export const FollowUserDocument = new TypedDocumentString(`
    mutation FollowUser($input: UserIdInput!, $special: Boolean, $hideReposts: Boolean, $hideReplies: Boolean) {
  followUser(
    input: $input
    special: $special
    hideReposts: $hideReposts
    hideReplies: $hideReplies
  ) {
    user {
      ...Profile
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:1e31322cb47e237509a85cae48ea4edc4e3f7648702de2a9524341de8ccdb5f8"}) as unknown as TypedDocumentString<FollowUserMutation, FollowUserMutationVariables>;
export const UpdateFollowDocument = new TypedDocumentString(`
    mutation UpdateFollow($input: UserIdInput!, $special: Boolean, $hideReposts: Boolean, $hideReplies: Boolean) {
  updateFollow(
    input: $input
    special: $special
    hideReposts: $hideReposts
    hideReplies: $hideReplies
  ) {
    user {
      ...Profile
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:6f28c64c68a52d7c99e3ccd13f879015df2e0559f92e5323c2e4a5107125c99b"}) as unknown as TypedDocumentString<UpdateFollowMutation, UpdateFollowMutationVariables>;
export const UnfollowUserDocument = new TypedDocumentString(`
    mutation UnfollowUser($input: UserIdInput!) {
  unfollowUser(input: $input) {
    user {
      ...Profile
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:9e4d1f408d757a8f50a80c862818c1b66d9ee3624b6861302b97e83b818b93ba"}) as unknown as TypedDocumentString<UnfollowUserMutation, UnfollowUserMutationVariables>;
export const AcceptFollowDocument = new TypedDocumentString(`
    mutation AcceptFollow($input: UserIdInput!) {
  acceptFollow(input: $input) {
    user {
      ...Profile
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:ef648c60a92563595aae61c402684b8e4735dd82f535b6065488207120e4e2ad"}) as unknown as TypedDocumentString<AcceptFollowMutation, AcceptFollowMutationVariables>;
export const RejectFollowDocument = new TypedDocumentString(`
    mutation RejectFollow($input: UserIdInput!) {
  rejectFollow(input: $input) {
    user {
      ...Profile
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:27bc0af1ef9ab60a3f5667167466f07b83611684a2c3545ea6e0decba406122a"}) as unknown as TypedDocumentString<RejectFollowMutation, RejectFollowMutationVariables>;
export const RemoveFollowerDocument = new TypedDocumentString(`
    mutation RemoveFollower($input: UserIdInput!) {
  removeFollower(input: $input) {
    user {
      ...Profile
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:2040753a845119cb5309491eae765d47e3bef4d00e780010f16870782122d834"}) as unknown as TypedDocumentString<RemoveFollowerMutation, RemoveFollowerMutationVariables>;
export const MuteUserDocument = new TypedDocumentString(`
    mutation MuteUser($input: UserIdInput!, $until: DateTime) {
  muteUser(input: $input, until: $until) {
    user {
      ...Profile
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:684fb72b4dce47e5bfebed62bdf11c0656e569fd562486cc17b5692003450206"}) as unknown as TypedDocumentString<MuteUserMutation, MuteUserMutationVariables>;
export const UnmuteUserDocument = new TypedDocumentString(`
    mutation UnmuteUser($input: UserIdInput!) {
  unmuteUser(input: $input) {
    user {
      ...Profile
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:6e845d6c72b9504d031e6273a5a0b3633e4eec14239e48155067771678198840"}) as unknown as TypedDocumentString<UnmuteUserMutation, UnmuteUserMutationVariables>;
export const HideFromUserDocument = new TypedDocumentString(`
    mutation HideFromUser($input: UserIdInput!) {
  hideFromUser(input: $input) {
    user {
      ...Profile
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:4fd453b32bd797662dbba8d5cc6fb3c7cfa7df81000e498a27fa0b9037b8a15e"}) as unknown as TypedDocumentString<HideFromUserMutation, HideFromUserMutationVariables>;
export const UnhideFromUserDocument = new TypedDocumentString(`
    mutation UnhideFromUser($input: UserIdInput!) {
  unhideFromUser(input: $input) {
    user {
      ...Profile
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:2cc1e5d24a193598e40b455bad0ddc2833f528ce9bc6ba841432ee1ac0a86f45"}) as unknown as TypedDocumentString<UnhideFromUserMutation, UnhideFromUserMutationVariables>;
export const BlockUserDocument = new TypedDocumentString(`
    mutation BlockUser($input: UserIdInput!) {
  blockUser(input: $input) {
    user {
      ...Profile
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:9701b034ed653b91957cc86b3008efb03e742bf88b6cb759fca65409aff7527a"}) as unknown as TypedDocumentString<BlockUserMutation, BlockUserMutationVariables>;
export const UnblockUserDocument = new TypedDocumentString(`
    mutation UnblockUser($input: UserIdInput!) {
  unblockUser(input: $input) {
    user {
      ...Profile
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:e8333997afbe25c8193c42aeccbf7864b83560becb86380e81c2d1c80b11e245"}) as unknown as TypedDocumentString<UnblockUserMutation, UnblockUserMutationVariables>;
export const UpdateProfileDocument = new TypedDocumentString(`
    mutation UpdateProfile($input: UpdateProfileInput!) {
  updateProfile(input: $input) {
    user {
      ...Profile
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:9965744b3194a4e478866e7b27df63d375f1e7e0be36fd57204c4cd3d31432e3"}) as unknown as TypedDocumentString<UpdateProfileMutation, UpdateProfileMutationVariables>;
export const RemoveAvatarDocument = new TypedDocumentString(`
    mutation RemoveAvatar {
  updateProfile(input: {avatarUrl: null}) {
    user {
      ...Profile
    }
    userErrors {
      ...Refusal
    }
  }
}
    fragment Profile on User {
  id
  databaseId
  handle
  name
  avatarUrl
  customFields
  createdAt
  isPrivate
  counters {
    followers
    following
    posts
  }
  viewerFollows
  viewerFollowOptions {
    special
    hideReposts
    hideReplies
  }
  viewerFollowRequested
  viewerCanSeePosts
  viewerMutes
  viewerHidesFrom
  viewerBlocks
}
fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:6815edda5ab8b11fdca2828363c173b60edeff6172f13f51a0d796e2d147dabe"}) as unknown as TypedDocumentString<RemoveAvatarMutation, RemoveAvatarMutationVariables>;
export const DeleteAccountDocument = new TypedDocumentString(`
    mutation DeleteAccount($input: DeleteAccountInput!) {
  deleteAccount(input: $input) {
    deletedUserId
    userErrors {
      ...Refusal
    }
  }
}
    fragment Refusal on UserError {
  code
  message
  field
}`, {"hash":"sha256:b62934cdcce8f69d3821b2f0fa43f409bb1aac398d2a8b2f3d8fc7e36098b559"}) as unknown as TypedDocumentString<DeleteAccountMutation, DeleteAccountMutationVariables>;