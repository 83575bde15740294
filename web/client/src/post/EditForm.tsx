import { useState } from 'react';

import { useCommit } from '../relay/commit';
import { length } from '../parts/text';
import { LONGEST, TextField } from './TextField';
import { edit } from './PostMutations';
import { texts } from '../texts';

/** Edits the text of a post in place. */
export function EditForm({ postId, text: before, onDone }: { postId: string; text: string; onDone(): void }) {
  const [text, setText] = useState(before);
  const commit = useCommit();
  const save = () => {
    if (length(text) > LONGEST) return;
    onDone();
    if (text !== before) void commit(edit(postId, text, new Date().toISOString()), texts.edit.failed);
  };
  return (
    <form
      className="edit"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
    >
      <TextField label={texts.edit.label} value={text} onChange={setText} onSend={save} autoFocus />
      <div className="edit-foot">
        <button type="button" className="button button-small" onClick={onDone}>{texts.edit.cancel}</button>
        <button type="submit" className="button button-small button-primary">{texts.edit.save}</button>
      </div>
    </form>
  );
}
