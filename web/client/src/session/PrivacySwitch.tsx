import { graphql, useLazyLoadQuery } from 'react-relay';

import type { PrivacySwitchMutation } from '../__generated__/PrivacySwitchMutation.graphql';
import type { PrivacySwitchQuery } from '../__generated__/PrivacySwitchQuery.graphql';
import { useCommit, type Change } from '../relay/commit';
import { pageTexts } from '../texts/pages';

const texts = pageTexts.settings;

function setPrivate(id: string, isPrivate: boolean): Change<PrivacySwitchMutation> {
  return {
    mutation: graphql`
      mutation PrivacySwitchMutation($input: UpdateProfileInput!) @raw_response_type {
        updateProfile(input: $input) {
          user { id isPrivate }
          userErrors { code message }
        }
      }
    `,
    variables: { input: { isPrivate } },
    optimisticResponse: { updateProfile: { user: { id, isPrivate }, userErrors: [] } },
  };
}

/** Makes the account private or public. */
export function PrivacySwitch({ attempt }: { attempt: number }) {
  const { viewer } = useLazyLoadQuery<PrivacySwitchQuery>(
    graphql`
      query PrivacySwitchQuery {
        viewer { user { id isPrivate } }
      }
    `,
    {},
    { fetchKey: attempt, fetchPolicy: 'store-and-network' },
  );
  const commit = useCommit();
  if (!viewer) return null;
  const { id, isPrivate } = viewer.user;
  return (
    <section className="card" aria-labelledby="privacy-title">
      <h2 id="privacy-title">{texts.privacy}</h2>
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          aria-describedby="privacy-hint"
          checked={isPrivate}
          onChange={() => void commit(setPrivate(id, !isPrivate), texts.privacyFailed)}
        />
        {texts.privateAccount}
      </label>
      <p id="privacy-hint" className="hint">{texts.privateHint}</p>
    </section>
  );
}
