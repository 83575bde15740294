import { useState } from 'react';
import { graphql, useRelayEnvironment } from 'react-relay';

import type { ScheduleButtonMutation } from '../__generated__/ScheduleButtonMutation.graphql';
import { Dialog } from '../parts/Dialog';
import { useToasts } from '../parts/Toasts';
import { commit } from '../relay/commit';
import { explain, inOneLine } from '../relay/failure';

/** What a field of type datetime-local holds for a moment: the time on the wall. */
function local(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** Announces a live session of the visitor's. */
export function ScheduleButton({ onScheduled }: { onScheduled(): void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button button-small" onClick={() => setOpen(true)}>Plan a session</button>
      {open && (
        <Dialog title="Plan a live session" onClose={() => setOpen(false)}>
          <ScheduleForm
            onDone={() => {
              setOpen(false);
              onScheduled();
            }}
          />
        </Dialog>
      )}
    </>
  );
}

function ScheduleForm({ onDone }: { onDone(): void }) {
  const environment = useRelayEnvironment();
  const toasts = useToasts();
  const [title, setTitle] = useState('');
  const [at, setAt] = useState(() => local(new Date(Date.now() + 3_600_000)));
  // What goes wrong is said in the form: a message at the foot of the page would be behind it.
  const [problem, setProblem] = useState('');
  const send = async () => {
    setProblem('');
    try {
      await commit<ScheduleButtonMutation>(environment, {
        mutation: graphql`
          mutation ScheduleButtonMutation($input: ScheduleLiveInput!) {
            scheduleLive(input: $input) { liveSession { id } userErrors { code message } }
          }
        `,
        variables: { input: { title, scheduledAt: new Date(at).toISOString() } },
      });
    } catch (error) {
      setProblem(`Not planned. ${inOneLine(explain(error))}`);
      return;
    }
    toasts.show({ tone: 'good', title: 'Planned' });
    onDone();
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label>What it is about <input required dir="auto" maxLength={200} value={title} onChange={(event) => setTitle(event.target.value)} /></label>
      <label>When it begins <input required type="datetime-local" min={local(new Date())} value={at} onChange={(event) => setAt(event.target.value)} /></label>
      {problem && <p className="note note-bad" role="alert">{problem}</p>}
      <div className="dialog-foot"><button type="submit" className="button button-primary">Plan it</button></div>
    </form>
  );
}
