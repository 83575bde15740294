// Mutations of the viewer's lists of authors.
import { graphql } from 'react-relay';
import { ConnectionHandler, ROOT_ID, type RecordProxy, type RecordSourceSelectorProxy } from 'relay-runtime';

import type { listsAddMutation } from '../__generated__/listsAddMutation.graphql';
import type { listsCreateMutation } from '../__generated__/listsCreateMutation.graphql';
import type { listsDeleteMutation } from '../__generated__/listsDeleteMutation.graphql';
import type { listsUpdateMutation } from '../__generated__/listsUpdateMutation.graphql';
import type { Change } from '../relay/commit';

/** What the viewer chooses about a list. */
export interface ListChoice {
  name: string;
  isPublic: boolean;
  exclusive: boolean;
}

// Changes the viewer's lists in the store, or those of them that have a member.
function changeLists(store: RecordSourceSelectorProxy, change: (lists: readonly RecordProxy[]) => RecordProxy[], member?: string): void {
  const viewer = store.get(ROOT_ID)?.getLinkedRecord('viewer');
  const lists = viewer?.getLinkedRecords('lists', member ? { member } : {});
  if (lists) viewer?.setLinkedRecords(change(lists.filter((one) => one != null)), 'lists', member ? { member } : {});
}

const without = (id: string) => (lists: readonly RecordProxy[]) => lists.filter((one) => one.getDataID() !== id);

/** Makes a list. */
export function createList(input: ListChoice): Change<listsCreateMutation> {
  return {
    mutation: graphql`
      mutation listsCreateMutation($input: CreateListInput!) {
        createList(input: $input) {
          list { id name isPublic memberCount }
          userErrors { code message }
        }
      }
    `,
    variables: { input },
    updater: (store) => {
      const made = store.getRootField('createList').getLinkedRecord('list');
      if (made) changeLists(store, (lists) => [made, ...lists]);
    },
  };
}

/** Changes what was chosen about a list. */
export function updateList(listId: string, choice: ListChoice): Change<listsUpdateMutation> {
  return {
    mutation: graphql`
      mutation listsUpdateMutation($input: UpdateListInput!) {
        updateList(input: $input) {
          list { id name isPublic exclusive }
          userErrors { code message }
        }
      }
    `,
    variables: { input: { listId, ...choice } },
  };
}

/** Deletes a list. */
export function deleteList(listId: string): Change<listsDeleteMutation> {
  return {
    mutation: graphql`
      mutation listsDeleteMutation($input: ListIdInput!) {
        deleteList(input: $input) {
          deletedListId
          userErrors { code message }
        }
      }
    `,
    variables: { input: { listId } },
    updater: (store) => changeLists(store, without(listId)),
  };
}

const ADD = graphql`
  mutation listsAddMutation($input: ListMembersInput!) {
    payload: addToList(input: $input) { list { id memberCount } userErrors { code message } }
  }
`;
const REMOVE = graphql`
  mutation listsRemoveMutation($input: ListMembersInput!) {
    payload: removeFromList(input: $input) { list { id memberCount } userErrors { code message } }
  }
`;

/** Adds a user to a list, or removes them. */
export function setMember(listId: string, userId: string, on: boolean): Change<listsAddMutation> {
  const update = (store: RecordSourceSelectorProxy) => {
    const list = store.get(listId);
    if (!list) return;
    changeLists(store, (lists) => (on ? [list, ...lists] : without(listId)(lists)), userId);
    const members = ConnectionHandler.getConnection(list, 'ListMembers_members');
    if (members && !on) ConnectionHandler.deleteNode(members, userId);
  };
  return {
    mutation: on ? ADD : REMOVE,
    variables: { input: { listId, userIds: [userId] } },
    optimisticUpdater: update,
    updater: update,
  };
}
