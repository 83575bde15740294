// Mutations of the viewer's followers and of requests to follow the viewer.
import { graphql } from 'react-relay';
import { ConnectionHandler, ROOT_ID, type GraphQLTaggedNode, type RecordProxy, type RecordSourceSelectorProxy } from 'relay-runtime';

import type { followersAcceptMutation } from '../__generated__/followersAcceptMutation.graphql';
import type { Change } from '../relay/commit';

export type FollowerAction = 'accept' | 'reject' | 'remove';

/** The navigation counts requests up to this number, which RequestsLinkQuery has too. */
export const COUNTED = 10;

// All have the variables and payload of the first, whose type represents them.
const MUTATIONS: Record<FollowerAction, GraphQLTaggedNode> = {
  accept: graphql`mutation followersAcceptMutation($input: UserIdInput!) { payload: acceptFollow(input: $input) { userErrors { code message } } }`,
  reject: graphql`mutation followersRejectMutation($input: UserIdInput!) { payload: rejectFollow(input: $input) { userErrors { code message } } }`,
  remove: graphql`mutation followersRemoveMutation($input: UserIdInput!) { payload: removeFollower(input: $input) { userErrors { code message } } }`,
};

/**
 * Returns the change that accepts or rejects a user's request, or removes a follower.
 *
 * @param account the record id of the viewer's account, if it is loaded
 */
export function changeFollower(action: FollowerAction, userId: string, account: string | null): Change<followersAcceptMutation> {
  const update = (store: RecordSourceSelectorProxy) => {
    const own = account ? store.get(account) : null;
    if (action === 'remove') drop(own, 'ProfilePeople_followers', userId);
    else dropRequest(store, userId);
    if (action !== 'reject') countFollowers(own, action === 'accept' ? 1 : -1);
  };
  return {
    mutation: MUTATIONS[action],
    variables: { input: { userId } },
    optimisticUpdater: update,
    updater: (store) => {
      update(store);
      // RequestsLink loads the number again, because it has only loaded the first requests.
      countedRequests(store)?.invalidateRecord();
    },
  };
}

function dropRequest(store: RecordSourceSelectorProxy, userId: string): void {
  drop(store.get(ROOT_ID)?.getLinkedRecord('viewer'), 'RequestsPage_followRequests', userId);
  const list = countedRequests(store);
  const nodes = list?.getLinkedRecords('nodes');
  list?.setLinkedRecords(nodes?.filter((node) => node?.getDataID() !== userId) ?? [], 'nodes');
}

function drop(owner: RecordProxy | null | undefined, key: string, userId: string): void {
  const list = owner && ConnectionHandler.getConnection(owner, key);
  if (list) ConnectionHandler.deleteNode(list, userId);
}

// The list of requests that RequestsLink counts.
const countedRequests = (store: RecordSourceSelectorProxy) =>
  store.get(ROOT_ID)?.getLinkedRecord('viewer')?.getLinkedRecord('followRequests', { first: COUNTED });

function countFollowers(own: RecordProxy | null | undefined, by: number): void {
  const counters = own?.getLinkedRecord('counters');
  const before = counters?.getValue('followers');
  if (typeof before === 'number') counters?.setValue(Math.max(0, before + by), 'followers');
}
