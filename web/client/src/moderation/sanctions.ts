// Takedowns and suspensions. Each function returns a change for commit.
import { graphql } from 'react-relay';
import { ROOT_ID, type RecordSourceSelectorProxy } from 'relay-runtime';

import type { sanctionsRestorePostMutation } from '../__generated__/sanctionsRestorePostMutation.graphql';
import type { sanctionsRestoreUserMutation } from '../__generated__/sanctionsRestoreUserMutation.graphql';
import type { sanctionsSuspendMutation } from '../__generated__/sanctionsSuspendMutation.graphql';
import type { sanctionsTakeDownMutation } from '../__generated__/sanctionsTakeDownMutation.graphql';
import type { sanctionsUserQuery } from '../__generated__/sanctionsUserQuery.graphql';
import type { Change } from '../relay/commit';
import { useReadAgain } from '../relay/useReadAgain';

/** Takes a post down. The caller removes it from the page. */
export const takeDown = (postId: string, reason: string): Change<sanctionsTakeDownMutation> => ({
  mutation: graphql`
    mutation sanctionsTakeDownMutation($input: TakeDownPostInput!) {
      takeDownPost(input: $input) { userErrors { code message } }
    }
  `,
  variables: { input: { postId, reason } },
});

/** Shows a post again; entry is the record id of its takedown in the log. */
export const restorePost = (postId: string, entry: string, by: string): Change<sanctionsRestorePostMutation> => ({
  mutation: graphql`
    mutation sanctionsRestorePostMutation($input: PostIdInput!) {
      restorePost(input: $input) { userErrors { code message } }
    }
  `,
  variables: { input: { postId } },
  optimisticUpdater: (store) => lift(store, entry, by),
  updater: (store) => lift(store, entry, by),
});

/** Suspends a user for some days; for ever if there are none. */
export const suspend = (userId: string, reason: string, days: number): Change<sanctionsSuspendMutation> => ({
  mutation: graphql`
    mutation sanctionsSuspendMutation($input: SuspendUserInput!) {
      suspendUser(input: $input) { userErrors { code message } }
    }
  `,
  variables: { input: { userId, reason, until: days ? new Date(Date.now() + days * 86_400_000).toISOString() : null } },
  updater: (store) => readUserAgain(store, userId),
});

/** Ends the suspension of a user; entry is its record id if it is in the log on the screen. */
export const restoreUser = (userId: string, entry: string | null, by: string): Change<sanctionsRestoreUserMutation> => ({
  mutation: graphql`
    mutation sanctionsRestoreUserMutation($input: UserIdInput!) {
      restoreUser(input: $input) { userErrors { code message } }
    }
  `,
  variables: { input: { userId } },
  optimisticUpdater: (store) => lift(store, entry, by),
  updater: (store) => {
    lift(store, entry, by);
    readUserAgain(store, userId);
  },
});

function lift(store: RecordSourceSelectorProxy, entry: string | null, by: string): void {
  const record = entry === null ? null : store.get(entry);
  record?.setValue(new Date().toISOString(), 'liftedAt');
  record?.setValue(by, 'liftedBy');
}

// The profile on the screen loads the user's lists and suspension again.
function readUserAgain(store: RecordSourceSelectorProxy, userId: string): void {
  store.get(userId)?.invalidateRecord();
  store.get(ROOT_ID)?.getLinkedRecord('moderationLog', { first: 1, subject: { userId } })?.invalidateRecord();
}

const userQuery = graphql`
  query sanctionsUserQuery($userId: ID!) {
    moderationLog(first: 1, subject: { userId: $userId }) { __id nodes { reason until liftedAt } }
  }
`;

/** Returns the suspension of a user that is in force. */
export function useSuspension(userId: string) {
  const [{ moderationLog }] = useReadAgain<sanctionsUserQuery>(
    userQuery, { userId }, (data) => data.moderationLog.__id, { fetchPolicy: 'store-and-network' },
  );
  return moderationLog.nodes.find((entry) => !entry.liftedAt) ?? null;
}
