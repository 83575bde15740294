import { useState } from 'react';
import { graphql, useLazyLoadQuery, useRelayEnvironment } from 'react-relay';

import type { ListPickerQuery } from '../__generated__/ListPickerQuery.graphql';
import { commit } from '../relay/commit';
import { explain, inOneLine } from '../relay/failure';
import { ListForm } from './ListForm';
import { createList, setMember, type ListChoice } from './lists';
import { pageTexts } from '../texts/pages';

const texts = pageTexts.lists;

/** Adds a user to lists of the viewer, or removes them, in a dialog. */
export default function ListPicker({ userId, attempt }: { userId: string; attempt: number }) {
  const { viewer } = useLazyLoadQuery<ListPickerQuery>(
    graphql`
      query ListPickerQuery($member: ID!) {
        viewer {
          lists { id name isPublic memberCount }
          having: lists(member: $member) { id }
        }
      }
    `,
    { member: userId },
    { fetchKey: attempt, fetchPolicy: 'network-only' },
  );
  const environment = useRelayEnvironment();
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState(false);
  const [problem, setProblem] = useState('');
  const having = new Set(viewer?.having.map((list) => list.id));
  const set = (list: string, on: boolean) => {
    setProblem('');
    commit(environment, setMember(list, userId, on)).catch((error: unknown) => setProblem(inOneLine(explain(error))));
  };
  const make = async (choice: ListChoice) => {
    const { createList: { list } } = await commit(environment, createList(choice));
    setMaking(false);
    setMade(true);
    if (list) set(list.id, true);
  };
  if (making || !viewer?.lists.length) {
    return (
      <>
        {!making && <p>{texts.noneHint}</p>}
        <ListForm button={texts.createAndAdd} send={make} />
      </>
    );
  }
  return (
    <>
      <ul className="form" aria-label={texts.yours}>
        {viewer.lists.map((list) => (
          <li key={list.id}>
            <label className="check">
              <input type="checkbox" checked={having.has(list.id)} onChange={(event) => set(list.id, event.target.checked)} />
              <span><bdi>{list.name}</bdi> <span className="hint">{texts.about(list.isPublic, list.memberCount)}</span></span>
            </label>
          </li>
        ))}
      </ul>
      {problem && <p className="note note-bad" role="alert">{problem}</p>}
      {/* After a list was made here, the focus comes back to this button. */}
      <div className="dialog-foot"><button type="button" className="button" autoFocus={made} onClick={() => setMaking(true)}>{texts.create}</button></div>
    </>
  );
}
