import { Fragment, useEffect, useId, useRef, useState, type ReactNode } from 'react';

import { explain, inOneLine } from '../relay/failure';
import type { ListChoice } from './lists';
import { pageTexts } from '../texts/pages';

const texts = pageTexts.lists;

interface Props {
  /** The choice so far. */
  before?: ListChoice;
  button: string;
  /** Makes the change, and rejects with the reason of a failure. */
  send(choice: ListChoice): Promise<void>;
  /** Other buttons. */
  children?: ReactNode;
}

/** Asks what to choose about a list, in a dialog. */
export function ListForm({ before = { name: '', isPublic: false, exclusive: false }, button, send, children }: Props) {
  const [choice, setChoice] = useState(before);
  // Show problems in the form: a toast would be behind the dialog.
  const [problem, setProblem] = useState('');
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const hint = useId();
  useEffect(() => field.current?.focus(), []);
  const submit = async () => {
    if (sending) return;
    setProblem('');
    setSending(true);
    try {
      await send(choice);
    } catch (error) {
      setProblem(inOneLine(explain(error)));
      setSending(false);
    }
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label>{texts.name} <input ref={field} required dir="auto" maxLength={200} value={choice.name} onChange={(event) => setChoice({ ...choice, name: event.target.value })} /></label>
      {(['isPublic', 'exclusive'] as const).map((flag) => (
        <Fragment key={flag}>
          <label className="check">
            <input type="checkbox" aria-describedby={hint + flag} checked={choice[flag]} onChange={(event) => setChoice({ ...choice, [flag]: event.target.checked })} />
            {texts[flag]}
          </label>
          <p id={hint + flag} className="hint">{texts[`${flag}Hint`]}</p>
        </Fragment>
      ))}
      {problem && <p className="note note-bad" role="alert">{problem}</p>}
      <div className="dialog-foot">{children}<button type="submit" className="button button-primary">{button}</button></div>
    </form>
  );
}
