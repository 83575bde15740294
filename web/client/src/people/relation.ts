// The relations of the viewer to another user: eight mutations of one shape.
import { graphql } from 'react-relay';
import { ROOT_ID, type GraphQLTaggedNode, type RecordProxy, type RecordSourceSelectorProxy } from 'relay-runtime';

import type { relationFollowMutation } from '../__generated__/relationFollowMutation.graphql';
import { homeConnection, homeFeeds } from '../post/PostMutations';
import type { Change } from '../relay/commit';

export type Relation = 'follow' | 'mute' | 'hide' | 'block';

export interface Related {
  id: string;
  isPrivate: boolean;
  viewerFollows: boolean;
  viewerFollowRequested: boolean;
  viewerMutes: boolean;
  viewerHidesFrom: boolean;
  viewerBlocks: boolean;
  counters: { followers: number };
}

/** The user field of each relation. */
export const FIELDS = { follow: 'viewerFollows', mute: 'viewerMutes', hide: 'viewerHidesFrom', block: 'viewerBlocks' } as const;

graphql`
  fragment relation_standing on User {
    id
    isPrivate
    viewerCanSeePosts
    viewerFollows
    viewerFollowRequested
    viewerMutes
    viewerHidesFrom
    viewerBlocks
    counters { followers }
  }
`;

// All have the variables and payload of the first, whose type represents them.
const MUTATIONS: Record<Relation, readonly [on: GraphQLTaggedNode, off: GraphQLTaggedNode]> = {
  follow: [
    graphql`mutation relationFollowMutation($input: UserIdInput!) { payload: followUser(input: $input) { user { ...relation_standing @relay(mask: false) } userErrors { code message } } }`,
    graphql`mutation relationUnfollowMutation($input: UserIdInput!) { payload: unfollowUser(input: $input) { user { ...relation_standing @relay(mask: false) } userErrors { code message } } }`,
  ],
  mute: [
    graphql`mutation relationMuteMutation($input: UserIdInput!, $until: DateTime) { payload: muteUser(input: $input, until: $until) { user { ...relation_standing @relay(mask: false) } userErrors { code message } } }`,
    graphql`mutation relationUnmuteMutation($input: UserIdInput!) { payload: unmuteUser(input: $input) { user { ...relation_standing @relay(mask: false) } userErrors { code message } } }`,
  ],
  hide: [
    graphql`mutation relationHideMutation($input: UserIdInput!) { payload: hideFromUser(input: $input) { user { ...relation_standing @relay(mask: false) } userErrors { code message } } }`,
    graphql`mutation relationUnhideMutation($input: UserIdInput!) { payload: unhideFromUser(input: $input) { user { ...relation_standing @relay(mask: false) } userErrors { code message } } }`,
  ],
  block: [
    graphql`mutation relationBlockMutation($input: UserIdInput!) { payload: blockUser(input: $input) { user { ...relation_standing @relay(mask: false) } userErrors { code message } } }`,
    graphql`mutation relationUnblockMutation($input: UserIdInput!) { payload: unblockUser(input: $input) { user { ...relation_standing @relay(mask: false) } userErrors { code message } } }`,
  ],
};

/** Reports whether a relation exists. A request to follow counts, because it ends in the same way. */
export const isOn = (relation: Relation, user: Related): boolean =>
  user[FIELDS[relation]] || (relation === 'follow' && user.viewerFollowRequested);

const DAY_MS = 86_400_000;

/** Begins a relation, a mute perhaps for some days, or ends it if it exists. */
export function toggle(relation: Relation, user: Related, days?: number): Change<relationFollowMutation> {
  const on = !isOn(relation, user);
  return {
    mutation: MUTATIONS[relation][on ? 0 : 1],
    variables: { input: { userId: user.id }, ...(days && { until: new Date(Date.now() + days * DAY_MS).toISOString() }) },
    optimisticUpdater: (store) => {
      const account = store.get(user.id);
      if (relation === 'follow') setFollow(account, user, on);
      else account?.setValue(on, FIELDS[relation]);
      if (leavesHome(relation, on)) dropFromHome(store, user.id);
    },
    updater: (store) => {
      // A new follow has no options.
      if (relation === 'follow') store.get(user.id)?.setValue(null, 'viewerFollowOptions');
      // The posts of the user's page have been removed or restored.
      if (relation === 'block') store.get(user.id)?.invalidateRecord();
      if (leavesHome(relation, on)) dropFromHome(store, user.id);
      else if (!store.get(user.id)?.getValue('viewerFollowRequested')) refreshHome(store);
    },
  };
}

// Following a private account is a request, and unfollowing it hides its posts.
function setFollow(account: RecordProxy | null | undefined, user: Related, on: boolean): void {
  const follows = on && !user.isPrivate;
  account?.setValue(follows, 'viewerFollows');
  account?.setValue(on && user.isPrivate, 'viewerFollowRequested');
  if (user.isPrivate) account?.setValue(false, 'viewerCanSeePosts');
  account?.getLinkedRecord('counters')?.setValue(user.counters.followers + Number(follows) - Number(user.viewerFollows), 'followers');
}

// Hiding from a user does not remove their posts from the feed.
function leavesHome(relation: Relation, on: boolean): boolean {
  return relation === 'follow' ? !on : relation !== 'hide' && on;
}

// Removes the posts of a user, and reposts of them, from the home feeds, as the
// server does in its next response.
function dropFromHome(store: RecordSourceSelectorProxy, userId: string): void {
  for (const feed of homeFeeds.values()) {
    const list = homeConnection(store, feed);
    const stays = list?.getLinkedRecords('edges')?.filter((edge) => {
      const post = edge?.getLinkedRecord('node');
      const authors = [post, post?.getLinkedRecord('repostOf')].map((one) => one?.getLinkedRecord('author')?.getDataID());
      return !authors.includes(userId);
    });
    if (stays) list?.setLinkedRecords(stays, 'edges');
  }
}

/** Reloads the home feeds when they are next shown, because posts may have appeared anywhere in them. */
export function refreshHome(store: RecordSourceSelectorProxy): void {
  store.get(ROOT_ID)?.getLinkedRecord('viewer')?.invalidateRecord();
}
