import { graphql, usePaginationFragment } from 'react-relay';

import type { ProfileLive_user$key } from '../__generated__/ProfileLive_user.graphql';
import type { ProfileLivePageQuery } from '../__generated__/ProfileLivePageQuery.graphql';
import { LiveList } from '../live/LiveList';
import { Empty } from '../parts/Trouble';

/** Somebody's live sessions. */
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
      empty={<Empty icon="live" title="No live sessions"><p>{data.name} has planned none.</p></Empty>}
    />
  );
}
