import { graphql, usePaginationFragment } from 'react-relay';

import type { ProfileLive_user$key } from '../__generated__/ProfileLive_user.graphql';
import type { ProfileLivePageQuery } from '../__generated__/ProfileLivePageQuery.graphql';
import { LiveList } from '../live/LiveList';
import { Empty } from '../parts/Trouble';
import { pageTexts } from '../texts/pages';

/** The live sessions of a user. */
export function ProfileLive({ user }: { user: ProfileLive_user$key }) {
  const { data, ...pages } = usePaginationFragment<ProfileLivePageQuery, ProfileLive_user$key>(
    graphql`
      fragment ProfileLive_user on User
      @refetchable(queryName: "ProfileLivePageQuery")
      @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }) {
        name
        liveSessions(first: $first, after: $after) @connection(key: "ProfileLive_liveSessions") {
          edges { state node { id ...LiveCard_session } }
        }
      }
    `,
    user,
  );
  return (
    <LiveList
      edges={data.liveSessions.edges}
      pages={pages}
      empty={<Empty icon="live" title={pageTexts.profile.noLive}><p>{pageTexts.profile.noLiveHint(data.name)}</p></Empty>}
    />
  );
}
