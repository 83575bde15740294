import { useState } from 'react';
import { graphql, useRelayEnvironment } from 'react-relay';

import type { ListsPageQuery } from '../__generated__/ListsPageQuery.graphql';
import { Link } from '../app/Link';
import { PageHead } from '../app/PageHead';
import { listHref } from '../app/routes';
import { Dialog } from '../parts/Dialog';
import { useToasts } from '../parts/Toasts';
import { Empty } from '../parts/Trouble';
import { commit } from '../relay/commit';
import { useReadAgain } from '../relay/useReadAgain';
import { ListForm } from './ListForm';
import { createList, type ListChoice } from './lists';
import { pageTexts } from '../texts/pages';

const texts = pageTexts.lists;

const listsQuery = graphql`
  query ListsPageQuery {
    viewer { __id lists { id name isPublic memberCount } }
  }
`;

/** The viewer's lists of authors. */
export default function ListsPage({ attempt }: { attempt: number }) {
  const [{ viewer }] = useReadAgain<ListsPageQuery>(
    listsQuery, {}, (data) => data.viewer?.__id, { fetchKey: attempt, fetchPolicy: 'store-and-network' },
  );
  const environment = useRelayEnvironment();
  const toasts = useToasts();
  const [making, setMaking] = useState(false);
  const make = async (choice: ListChoice) => {
    await commit(environment, createList(choice));
    setMaking(false);
    toasts.show({ tone: 'good', title: texts.created(choice.name) });
  };
  const lists = viewer?.lists ?? [];
  return (
    <>
      <PageHead title={texts.title}>
        <button type="button" className="button button-small" onClick={() => setMaking(true)}>{texts.create}</button>
      </PageHead>
      {lists.length > 0 ? (
        <ul className="people" aria-label={texts.yours}>
          {lists.map((list) => (
            <li key={list.id} className="person">
              <Link href={listHref(list.id)} className="person-who">
                <span className="person-words">
                  <strong><bdi>{list.name}</bdi></strong>
                  <span>{texts.about(list.isPublic, list.memberCount)}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      ) : <Empty icon="list" title={texts.none}><p>{texts.noneHint}</p></Empty>}
      {making && <Dialog title={texts.create} onClose={() => setMaking(false)}><ListForm button={texts.createButton} send={make} /></Dialog>}
    </>
  );
}
