import { useEffect, useState } from 'react';
import { graphql, useRelayEnvironment } from 'react-relay';
import { getRequest } from 'relay-runtime';

import type { useSubjectQuery, useSubjectQuery$data } from '../__generated__/useSubjectQuery.graphql';

const query = graphql`
  query useSubjectQuery($post: String!, $user: String!, $by: String!, $liftedBy: String!, $isPost: Boolean!, $hasBy: Boolean!, $hasLiftedBy: Boolean!) {
    moderatedPost(databaseId: $post) @include(if: $isPost) { text media author { handle } }
    moderatedUser(databaseId: $user) @skip(if: $isPost) { handle }
    by: moderatedUser(databaseId: $by) @include(if: $hasBy) { handle }
    lifter: moderatedUser(databaseId: $liftedBy) @include(if: $hasLiftedBy) { handle }
  }
`;

interface Ids {
  postDatabaseId: string | null | undefined;
  userDatabaseId: string | null | undefined;
  by: string;
  liftedBy: string | null | undefined;
}

/**
 * Loads what an entry of the log is about and who made it; empty until then, and after a failure.
 * The response is not stored: posts that are taken down stay out of the lists of other pages.
 */
export function useSubject({ postDatabaseId, userDatabaseId, by, liftedBy }: Ids): Partial<useSubjectQuery$data> {
  const environment = useRelayEnvironment();
  const [subject, setSubject] = useState<Partial<useSubjectQuery$data>>({});
  useEffect(() => {
    const variables: useSubjectQuery['variables'] = {
      post: postDatabaseId ?? '', isPost: !!postDatabaseId, user: userDatabaseId ?? '',
      by, hasBy: isUser(by), liftedBy: liftedBy ?? '', hasLiftedBy: !!liftedBy && isUser(liftedBy),
    };
    const { unsubscribe } = environment.getNetwork().execute(getRequest(query).params, variables, { force: true }).subscribe({
      next: (response) => 'data' in response && setSubject(response.data as unknown as useSubjectQuery$data),
      error: () => undefined,
    });
    return unsubscribe;
  }, [environment, postDatabaseId, userDatabaseId, by, liftedBy]);
  return subject;
}

/** Reports whether an identity in the log is the databaseId of a user: not a service or an import. */
export const isUser = (identity: string): boolean => identity !== 'import' && !identity.startsWith('service:');
