import { useState } from 'react';
import { graphql, useRelayEnvironment } from 'react-relay';

import type { ScheduleButtonMutation } from '../__generated__/ScheduleButtonMutation.graphql';
import { Dialog } from '../parts/Dialog';
import { useToasts } from '../parts/Toasts';
import { commit } from '../relay/commit';
import { explain, inOneLine } from '../relay/failure';
import { pageTexts } from '../texts/pages';

/** The value of a datetime-local field for a moment, in local time. */
function local(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** Schedules a live session of the viewer. */
export function ScheduleButton({ onScheduled }: { onScheduled(): void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button button-small" onClick={() => setOpen(true)}>{pageTexts.schedule.open}</button>
      {open && (
        <Dialog title={pageTexts.schedule.title} onClose={() => setOpen(false)}>
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
  // Show problems in the form: a toast would be behind the dialog.
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
      setProblem(pageTexts.schedule.failed(inOneLine(explain(error))));
      return;
    }
    toasts.show({ tone: 'good', title: pageTexts.schedule.done });
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
      <label>{pageTexts.schedule.titleField} <input required dir="auto" maxLength={200} value={title} onChange={(event) => setTitle(event.target.value)} /></label>
      <label>{pageTexts.schedule.startField} <input required type="datetime-local" min={local(new Date())} value={at} onChange={(event) => setAt(event.target.value)} /></label>
      {problem && <p className="note note-bad" role="alert">{problem}</p>}
      <div className="dialog-foot"><button type="submit" className="button button-primary">{pageTexts.schedule.submit}</button></div>
    </form>
  );
}
