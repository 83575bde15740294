import { useEffect, useId, useRef, useState, type ReactNode } from 'react';

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

/** Asks for name and visibility of a list, in a dialog. */
export function ListForm({ before = { name: '', isPublic: false }, button, send, children }: Props) {
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
      <label className="check">
        <input type="checkbox" aria-describedby={hint} checked={choice.isPublic} onChange={(event) => setChoice({ ...choice, isPublic: event.target.checked })} />
        {texts.isPublic}
      </label>
      <p id={hint} className="hint">{texts.isPublicHint}</p>
      {problem && <p className="note note-bad" role="alert">{problem}</p>}
      <div className="dialog-foot">{children}<button type="submit" className="button button-primary">{button}</button></div>
    </form>
  );
}
