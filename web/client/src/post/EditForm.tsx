import { useState } from 'react';

import { useCommit } from '../relay/commit';
import { length } from '../parts/text';
import { LONGEST, TextField } from './TextField';
import { edit } from './PostMutations';

/** Changes the text of a content in its place. */
export function EditForm({ postId, text: before, onDone }: { postId: string; text: string; onDone(): void }) {
  const [text, setText] = useState(before);
  const commit = useCommit();
  const save = () => {
    if (length(text) > LONGEST) return;
    onDone();
    if (text !== before) void commit(edit(postId, text, new Date().toISOString()), 'Not changed');
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
      <TextField label="Text of the post" value={text} onChange={setText} onSend={save} autoFocus />
      <div className="edit-foot">
        <button type="button" className="button button-small" onClick={onDone}>Cancel</button>
        <button type="submit" className="button button-small button-primary">Save</button>
      </div>
    </form>
  );
}
