import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';

import { length } from '../parts/text';
import { explain, inOneLine } from '../relay/failure';
import { texts } from '../texts';
import { moderationTexts } from '../texts/moderation';

/** The maximum length of a reason, in code points. */
const LONGEST = 500;
/** The form shows the remaining length from this number on. */
const SHOWN_FROM = 100;

const DAYS = [0, 1, 7, 30] as const;

interface Props {
  hint: string;
  button: string;
  /** Whether the sanction may end by itself. */
  ends?: boolean;
  /** Makes the change, and rejects with the reason of a failure. days is 0 if it never ends. */
  send(reason: string, days: number): Promise<void>;
}

/** Asks for the reason of a takedown or suspension, in a dialog. */
export function ReasonForm({ hint, button, ends = false, send }: Props) {
  const [reason, setReason] = useState('');
  const [days, setDays] = useState(0);
  // Show problems in the form: a toast would be behind the dialog.
  const [problem, setProblem] = useState('');
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const [hintId, leftId] = [useId(), useId()];
  useEffect(() => field.current?.focus(), []);
  const left = LONGEST - length(reason.trim());
  const submit = async () => {
    if (sending) return;
    if (left === LONGEST || left < 0) {
      setProblem(left < 0 ? texts.composer.over(-left) : moderationTexts.reasonMissing);
      field.current?.focus();
      return;
    }
    setProblem('');
    setSending(true);
    try {
      await send(reason.trim(), days);
    } catch (error) {
      setProblem(inOneLine(explain(error)));
      setSending(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void submit();
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <p id={hintId}>{hint}</p>
      <label>
        {moderationTexts.reason}
        <textarea
          ref={field}
          rows={3}
          dir="auto"
          aria-required="true"
          aria-invalid={left < 0}
          aria-describedby={`${hintId} ${leftId}`}
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setProblem('');
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <span id={leftId} className={left < 0 ? 'left left-over' : 'left'} role="status">
        {left < 0 ? texts.composer.over(-left) : left <= SHOWN_FROM ? texts.composer.left(left) : ''}
      </span>
      {ends && (
        <label>
          {moderationTexts.suspend.until}
          <select value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {DAYS.map((one) => <option key={one} value={one}>{moderationTexts.suspend.days[one]}</option>)}
          </select>
        </label>
      )}
      {problem && <p className="note note-bad" role="alert">{problem}</p>}
      <div className="dialog-foot"><button type="submit" className="button button-danger">{button}</button></div>
    </form>
  );
}
