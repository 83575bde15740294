import { graphql, useFragment, usePaginationFragment } from 'react-relay';

import type { ListMembers_list$key } from '../__generated__/ListMembers_list.graphql';
import type { ListMembers_user$key } from '../__generated__/ListMembers_user.graphql';
import type { ListMembersPageQuery } from '../__generated__/ListMembersPageQuery.graphql';
import { Icon } from '../parts/Icon';
import { useToasts } from '../parts/Toasts';
import { FollowButton } from '../people/FollowButton';
import { PeopleList } from '../people/PeopleList';
import { focusNeighbour } from '../people/useFollowerAction';
import { useCommit } from '../relay/commit';
import { useSession } from '../session/session';
import { setMember } from './lists';
import { pageTexts } from '../texts/pages';

const texts = pageTexts.lists;

/** The members of a list. Its owner can remove them. */
export function ListMembers({ list, own }: { list: ListMembers_list$key; own: boolean }) {
  const { data, ...pages } = usePaginationFragment<ListMembersPageQuery, ListMembers_list$key>(
    graphql`
      fragment ListMembers_list on AuthorList
      @refetchable(queryName: "ListMembersPageQuery")
      @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }) {
        id
        name
        members(first: $first, after: $after) @connection(key: "ListMembers_members") {
          edges { node { id ...PersonRow_user ...ListMembers_user } }
        }
      }
    `,
    list,
  );
  return (
    <PeopleList
      label={texts.membersOf(data.name)}
      people={data.members.edges}
      pages={pages}
      empty={texts.membersHidden}
      actions={own ? (user) => <Member user={user} list={data.id} /> : undefined}
    />
  );
}

function Member({ user: key, list }: { user: ListMembers_user$key; list: string }) {
  const user = useFragment(
    graphql`
      fragment ListMembers_user on User {
        id
        databaseId
        handle
        unavailable
        ...FollowButton_user
      }
    `,
    key,
  );
  const { session } = useSession();
  const commit = useCommit();
  const toasts = useToasts();
  const remove = async (control: Element) => {
    focusNeighbour(control);
    if (await commit(setMember(list, user.id, false), texts.removeFailed)) toasts.show({ tone: 'good', title: texts.removed(user.handle) });
  };
  const label = texts.remove(user.handle);
  return (
    <div className="profile-actions">
      {!user.unavailable && session.user?.id !== user.databaseId && <FollowButton user={user} small />}
      <button type="button" className="icon-button" aria-label={label} title={label} onClick={(event) => void remove(event.currentTarget)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
