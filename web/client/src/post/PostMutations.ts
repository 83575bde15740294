// Mutations of posts. Each function returns a change for commit, which shows at once and is
// rolled back if the server refuses it.
import { graphql } from 'react-relay';
import { ConnectionHandler, ROOT_ID, type RecordSourceProxy, type RecordSourceSelectorProxy } from 'relay-runtime';

import type { PostMutationsDeleteMutation } from '../__generated__/PostMutationsDeleteMutation.graphql';
import type { PostMutationsEditMutation } from '../__generated__/PostMutationsEditMutation.graphql';
import type { PostMutationsFavoriteMutation } from '../__generated__/PostMutationsFavoriteMutation.graphql';
import type { PostMutationsLikeMutation } from '../__generated__/PostMutationsLikeMutation.graphql';
import type { Change } from '../relay/commit';
import type { Audience } from './publish';

interface Liked {
  id: string;
  viewerHasLiked: boolean;
  counters: { likes: number };
}

// Both mutations have the same variables and payload, so one type represents both.
const LIKE = graphql`
  mutation PostMutationsLikeMutation($input: PostIdInput!) @raw_response_type {
    payload: likePost(input: $input) {
      post { id viewerHasLiked counters { likes } }
      userErrors { code message }
    }
  }
`;
const UNLIKE = graphql`
  mutation PostMutationsUnlikeMutation($input: PostIdInput!) @raw_response_type {
    payload: unlikePost(input: $input) {
      post { id viewerHasLiked counters { likes } }
      userErrors { code message }
    }
  }
`;

/** Likes a post, or removes the like. */
export function like({ id, viewerHasLiked, counters }: Liked): Change<PostMutationsLikeMutation> {
  const on = !viewerHasLiked;
  const post = { id, viewerHasLiked: on, counters: { likes: counters.likes + (on ? 1 : -1) } };
  return {
    mutation: on ? LIKE : UNLIKE,
    variables: { input: { postId: id } },
    optimisticResponse: { payload: { post, userErrors: [] } },
  };
}

interface Favorited {
  id: string;
  viewerHasFavorited: boolean;
  counters: { favorites: number };
}

const FAVORITE = graphql`
  mutation PostMutationsFavoriteMutation($input: PostIdInput!) @raw_response_type {
    payload: favoritePost(input: $input) {
      post { id viewerHasFavorited counters { favorites } }
      userErrors { code message }
    }
  }
`;
const UNFAVORITE = graphql`
  mutation PostMutationsUnfavoriteMutation($input: PostIdInput!) @raw_response_type {
    payload: unfavoritePost(input: $input) {
      post { id viewerHasFavorited counters { favorites } }
      userErrors { code message }
    }
  }
`;

/** Adds a post to the favorites, or removes it. */
export function favorite({ id, viewerHasFavorited, counters }: Favorited): Change<PostMutationsFavoriteMutation> {
  const on = !viewerHasFavorited;
  const post = { id, viewerHasFavorited: on, counters: { favorites: counters.favorites + (on ? 1 : -1) } };
  return {
    mutation: on ? FAVORITE : UNFAVORITE,
    variables: { input: { postId: id } },
    optimisticResponse: { payload: { post, userErrors: [] } },
  };
}

/** Edits a post of the viewer. What is absent stays; the audience alone sets no time of an edit. */
export function edit(postId: string, changes: { text?: string; audience?: Audience }, editedAt: string): Change<PostMutationsEditMutation> {
  return {
    mutation: graphql`
      mutation PostMutationsEditMutation($input: EditPostInput!) {
        editPost(input: $input) {
          post { id text audience editedAt }
          userErrors { code message }
        }
      }
    `,
    variables: { input: { postId, ...changes } },
    optimisticUpdater: (store) => {
      const post = store.get(postId);
      const shown = { ...changes, ...(changes.text !== undefined && { editedAt }) };
      for (const [field, value] of Object.entries(shown)) post?.setValue(value, field);
    },
  };
}

/** A post that leaves the page, and the posts that it replies to or reposts. */
export interface Gone {
  id: string;
  replyTo: string | null;
  repostOf: string | null;
}

/** Removes a post from every list, and from the counters of the post that it replied to or reposted. */
export function drop(store: RecordSourceProxy, { id, replyTo, repostOf }: Gone): void {
  store.delete(id);
  if (replyTo) count(store, replyTo, 'comments', -1);
  if (repostOf) count(store, repostOf, 'reposts', -1);
}

/** Deletes a post of the viewer. */
export function remove(post: Gone): Change<PostMutationsDeleteMutation> {
  const updater = (store: RecordSourceSelectorProxy) => drop(store, post);
  return {
    mutation: graphql`
      mutation PostMutationsDeleteMutation($input: PostIdInput!) @raw_response_type {
        deletePost(input: $input) {
          deletedPostId
          userErrors { code message }
        }
      }
    `,
    variables: { input: { postId: post.id } },
    optimisticUpdater: updater,
    updater,
  };
}

/** Adds to a counter of a post on this page. */
export function count(store: RecordSourceProxy, post: string, counter: 'comments' | 'reposts', by: number): void {
  const counters = store.get(post)?.getLinkedRecord('counters');
  const before = counters?.getValue(counter);
  if (typeof before === 'number') counters?.setValue(Math.max(0, before + by), counter);
}

/** The key of the home feed's connection. */
export const HOME = 'HomeTimeline_homeFeed';

/** The arguments that choose a home feed: that of all follows, or of special ones, perhaps with a filter. */
export interface HomeFeed {
  special?: true;
  filter?: { kinds?: ('POST' | 'REPOST' | 'COMMENT')[]; hasMedia?: true };
}

/** The home feeds that were shown, by their arguments as text. */
export const homeFeeds = new Map<string, HomeFeed>();

/** Returns the connection of a home feed, if it is loaded. */
export function homeConnection(store: RecordSourceSelectorProxy, feed: HomeFeed = {}) {
  const viewer = store.get(ROOT_ID)?.getLinkedRecord('viewer');
  return viewer ? ConnectionHandler.getConnection(viewer, HOME, { ...feed }) : undefined;
}
