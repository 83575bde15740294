// How the visitor stands to somebody: eight mutations that are one.
import { graphql } from 'react-relay';
import { ROOT_ID, type GraphQLTaggedNode, type RecordSourceSelectorProxy } from 'relay-runtime';

import type { relationFollowMutation } from '../__generated__/relationFollowMutation.graphql';
import { homeConnection } from '../post/PostMutations';
import type { Change } from '../relay/commit';

export type Relation = 'follow' | 'mute' | 'hide' | 'block';

export interface Standing {
  id: string;
  viewerFollows: boolean;
  viewerMutes: boolean;
  viewerHidesFrom: boolean;
  viewerBlocks: boolean;
  counters: { followers: number };
}

/** The field of a user that a relation shows in. */
export const FIELDS = { follow: 'viewerFollows', mute: 'viewerMutes', hide: 'viewerHidesFrom', block: 'viewerBlocks' } as const;

graphql`
  fragment relation_standing on User {
    id
    viewerFollows
    viewerMutes
    viewerHidesFrom
    viewerBlocks
    counters { followers }
  }
`;

// All have the same variables and payload as the first, whose type stands for theirs.
const MUTATIONS: Record<Relation, readonly [on: GraphQLTaggedNode, off: GraphQLTaggedNode]> = {
  follow: [
    graphql`mutation relationFollowMutation($input: UserIdInput!) { payload: followUser(input: $input) { user { ...relation_standing @relay(mask: false) } userErrors { code message } } }`,
    graphql`mutation relationUnfollowMutation($input: UserIdInput!) { payload: unfollowUser(input: $input) { user { ...relation_standing @relay(mask: false) } userErrors { code message } } }`,
  ],
  mute: [
    graphql`mutation relationMuteMutation($input: UserIdInput!) { payload: muteUser(input: $input) { user { ...relation_standing @relay(mask: false) } userErrors { code message } } }`,
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

/** Begins a relation, or ends it when it is there. */
export function toggle(relation: Relation, user: Standing): Change<relationFollowMutation> {
  const on = !user[FIELDS[relation]];
  return {
    mutation: MUTATIONS[relation][on ? 0 : 1],
    variables: { input: { userId: user.id } },
    optimisticUpdater: (store) => {
      const account = store.get(user.id);
      account?.setValue(on, FIELDS[relation]);
      if (relation === 'follow') {
        account?.getLinkedRecord('counters')?.setValue(user.counters.followers + (on ? 1 : -1), 'followers');
      }
      if (leavesHome(relation, on)) dropFromHome(store, user.id);
    },
    updater: (store) => {
      // What stands on his page was taken away, or has come back.
      if (relation === 'block') store.get(user.id)?.invalidateRecord();
      if (leavesHome(relation, on)) dropFromHome(store, user.id);
      else refreshHome(store);
    },
  };
}

// Hiding from somebody takes one's own contents from him, and none of his away.
function leavesHome(relation: Relation, on: boolean): boolean {
  return relation === 'follow' ? !on : relation !== 'hide' && on;
}

// Takes the contents of a user, and reposts of them, out of the home feed on the screen.
// The server does the same with what it returns from now on.
function dropFromHome(store: RecordSourceSelectorProxy, userId: string): void {
  const list = homeConnection(store);
  const edges = list?.getLinkedRecords('edges');
  if (!list || !edges) return;
  const stays = edges.filter((edge) => {
    const post = edge?.getLinkedRecord('node');
    const authors = [post, post?.getLinkedRecord('repostOf')].map((one) => one?.getLinkedRecord('author')?.getDataID());
    return !authors.includes(userId);
  });
  list.setLinkedRecords(stays, 'edges');
}

// Contents have come in anywhere in the home feed: it is read again when it is next shown.
function refreshHome(store: RecordSourceSelectorProxy): void {
  store.get(ROOT_ID)?.getLinkedRecord('viewer')?.invalidateRecord();
}
