// Publishing of posts, replies and reposts.
import { graphql } from 'react-relay';
import { ConnectionHandler, type RecordProxy, type RecordSourceSelectorProxy } from 'relay-runtime';

import type { publishMutation } from '../__generated__/publishMutation.graphql';
import type { Change } from '../relay/commit';
import { count, homeConnection } from './PostMutations';

export type Audience = 'PUBLIC' | 'FOLLOWERS';

export interface Draft {
  text: string;
  /** The global id of the parent or the reposted post. */
  replyTo?: string;
  repostOf?: string;
  /** Only for a post, which neither replies nor reposts. */
  audience?: Audience;
}

const mutation = graphql`
  mutation publishMutation($input: PublishPostInput!) {
    publishPost(input: $input) {
      feedEdge {
        cursor
        sortKey
        node { id ...PostCard_post }
      }
      userErrors { code message }
    }
  }
`;

/**
 * Returns the change that publishes a draft. The post shows at once at the top of the home
 * feed, of the author's profile and of the replies it belongs to.
 *
 * @param key the idempotency key: the server publishes once per key
 * @param author the record id of the author's account, if it is loaded
 */
export function publish(draft: Draft, key: string, author: string | null): Change<publishMutation> {
  return {
    mutation,
    variables: { input: { ...draft, idempotencyKey: key } },
    optimisticUpdater: (store) => {
      const account = author ? store.get(author) : null;
      if (!account) return;
      insert(store, pending(store, draft, key, account), null, draft, account);
      if (draft.repostOf) count(store, draft.repostOf, 'reposts', 1);
    },
    // The response has the counters of what is reposted.
    updater: (store) => {
      const edge = store.getRootField('publishPost')?.getLinkedRecord('feedEdge');
      const post = edge?.getLinkedRecord('node');
      if (edge && post) insert(store, post, edge, draft, author ? (store.get(author) ?? null) : null);
    },
  };
}

/** Reports whether the server has not confirmed a post yet. */
export const isPending = (id: string): boolean => id.startsWith('pending:');

// A temporary record of the post, with its own id.
function pending(store: RecordSourceSelectorProxy, draft: Draft, key: string, author: RecordProxy): RecordProxy {
  const post = store.create(`pending:${key}`, 'Post');
  const counters = store.create(`pending:${key}:counters`, 'PostCounters');
  for (const counter of ['likes', 'comments', 'reposts', 'favorites']) counters.setValue(0, counter);
  const values = {
    id: `pending:${key}`, databaseId: '0', kind: kindOf(draft), text: draft.text, audience: audienceOf(store, draft), media: [],
    publishedAt: new Date().toISOString(), editedAt: null, moderation: null, viewerHasLiked: false, viewerHasFavorited: false,
  };
  for (const [field, value] of Object.entries(values)) post.setValue(value, field);
  post.setLinkedRecord(author, 'author');
  post.setLinkedRecord(counters, 'counters');
  for (const field of ['replyTo', 'repostOf'] as const) {
    const other = draft[field] ? store.get(draft[field]) : null;
    if (other) post.setLinkedRecord(other, field);
    else post.setValue(null, field);
  }
  return post;
}

function insert(store: RecordSourceSelectorProxy, post: RecordProxy, placed: RecordProxy | null, draft: Draft, author: RecordProxy | null): void {
  const parent = draft.replyTo ? store.get(draft.replyTo) : null;
  const lists = [
    homeConnection(store),
    author && ConnectionHandler.getConnection(author, 'ProfilePosts_posts'),
    parent && ConnectionHandler.getConnection(parent, 'PostComments_comments'),
  ];
  for (const list of lists) {
    if (!list) continue;
    const edge = ConnectionHandler.createEdge(store, list, post, 'FeedEdge');
    // The place is one in the home feed only.
    for (const name of ['cursor', 'sortKey']) edge.setValue(list === lists[0] ? (placed?.getValue(name) ?? null) : null, name);
    ConnectionHandler.insertEdgeBefore(list, edge);
  }
  if (draft.replyTo) count(store, draft.replyTo, 'comments', 1);
}

// Replies and reposts have the audience of the other post.
function audienceOf(store: RecordSourceSelectorProxy, { audience, replyTo, repostOf }: Draft): unknown {
  return audience ?? store.get(replyTo ?? repostOf ?? '')?.getValue('audience') ?? 'PUBLIC';
}

function kindOf(draft: Draft): 'POST' | 'COMMENT' | 'REPOST' {
  if (draft.replyTo) return 'COMMENT';
  return draft.repostOf ? 'REPOST' : 'POST';
}

/** Returns a new idempotency key. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
