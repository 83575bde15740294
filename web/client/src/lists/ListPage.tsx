import { useState } from 'react';
import { graphql, useRelayEnvironment } from 'react-relay';

import type { ListPageQuery } from '../__generated__/ListPageQuery.graphql';
import { Link } from '../app/Link';
import { navigate } from '../app/history';
import { PageHead } from '../app/PageHead';
import { listHref, profileHref } from '../app/routes';
import { PAGE } from '../feed/placement';
import { Confirm, Dialog } from '../parts/Dialog';
import { Icon } from '../parts/Icon';
import { useToasts } from '../parts/Toasts';
import { Empty } from '../parts/Trouble';
import { commit, useCommit } from '../relay/commit';
import { useReadAgain } from '../relay/useReadAgain';
import { useSession } from '../session/session';
import { ListFeed } from './ListFeed';
import { ListForm } from './ListForm';
import { ListMembers } from './ListMembers';
import { deleteList, updateList, type ListChoice } from './lists';
import { pageTexts } from '../texts/pages';

const texts = pageTexts.lists;

const listQuery = graphql`
  query ListPageQuery($id: ID!, $first: Int!, $members: Boolean!) {
    node(id: $id) {
      ... on AuthorList {
        id
        name
        isPublic
        exclusive
        memberCount
        owner { databaseId handle }
        ...ListFeed_list @arguments(first: $first) @alias(as: "feed") @skip(if: $members)
        ...ListMembers_list @arguments(first: $first) @alias(as: "members") @include(if: $members)
      }
    }
  }
`;

/** A list of authors: its feed, or its members. */
export default function ListPage({ id, members, attempt }: { id: string; members: boolean; attempt: number }) {
  const [{ node: list }, readAgain] = useReadAgain<ListPageQuery>(
    listQuery, { id, first: PAGE, members }, (data) => data.node?.id, { fetchKey: attempt, fetchPolicy: 'store-and-network' },
  );
  const { session } = useSession();
  if (list?.id === undefined || list.name === undefined) {
    return (
      <>
        <PageHead title={texts.title} back />
        <Empty icon="list" title={texts.notFound}><p>{texts.notFoundHint}</p></Empty>
      </>
    );
  }
  const { name, isPublic = false, exclusive = false, memberCount = 0, owner } = list;
  const own = session.user !== null && owner?.databaseId === session.user.id;
  const empty = memberCount > 0 ? null : (
    <Empty icon="person" title={texts.empty}>
      {own && <p>{texts.emptyHint}</p>}
      {own && <Link className="button button-primary" href="/search">{texts.findPeople}</Link>}
    </Empty>
  );
  return (
    <>
      <PageHead title={name} back>{own && <Settings id={list.id} name={name} isPublic={isPublic} exclusive={exclusive} />}</PageHead>
      <p className="live-bar">
        {texts.about(isPublic, memberCount)}
        {owner && !own && <Link href={profileHref(owner.handle)}>@{owner.handle}</Link>}
      </p>
      <nav className="tabs" aria-label={texts.tabs}>
        <Link href={listHref(id)} aria-current={members ? undefined : 'page'}>{texts.posts}</Link>
        <Link href={listHref(id, true)} aria-current={members ? 'page' : undefined}>{texts.members}</Link>
      </nav>
      {list.feed && <ListFeed list={list.feed} empty={empty} readAgain={readAgain} />}
      {list.members && (empty ?? <ListMembers list={list.members} own={own} />)}
    </>
  );
}

/** Changes what was chosen about a list, and deletes it. */
function Settings({ id, ...before }: ListChoice & { id: string }) {
  const environment = useRelayEnvironment();
  const commitOrTell = useCommit();
  const toasts = useToasts();
  const [open, setOpen] = useState<'settings' | 'deletion' | null>(null);
  const close = () => setOpen(null);
  const save = async (choice: ListChoice) => {
    await commit(environment, updateList(id, choice));
    close();
    toasts.show({ tone: 'good', title: texts.saved });
  };
  const remove = async () => {
    if (!(await commitOrTell(deleteList(id), texts.deleteFailed))) return;
    navigate('/lists', true);
    toasts.show({ tone: 'good', title: texts.deleted(before.name) });
  };
  return (
    <>
      <button type="button" className="icon-button" aria-label={texts.settings} title={texts.settings} onClick={() => setOpen('settings')}>
        <Icon name="settings" />
      </button>
      {open === 'settings' && (
        <Dialog title={texts.settings} onClose={() => setOpen((now) => (now === 'settings' ? null : now))}>
          <ListForm before={before} button={texts.save} send={save}>
            <button type="button" className="button button-danger" onClick={() => setOpen('deletion')}>{texts.delete}</button>
          </ListForm>
        </Dialog>
      )}
      {open === 'deletion' && (
        <Confirm title={texts.deleteTitle(before.name)} text={texts.deleteText} yes={texts.delete} onYes={() => void remove()} onClose={close} />
      )}
    </>
  );
}
