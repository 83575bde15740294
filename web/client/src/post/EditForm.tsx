import { useState } from 'react';

import { useCommit } from '../relay/commit';
import { length } from '../parts/text';
import { AudienceChoice } from './AudienceChoice';
import { LONGEST, TextField } from './TextField';
import { edit } from './PostMutations';
import type { Audience } from './publish';
import { texts } from '../texts';

interface Props {
  postId: string;
  text: string;
  /** Null for a reply or repost, which have the audience of the other post. */
  audience: Audience | null;
  onDone(): void;
}

/** Edits the text and audience of a post in place. */
export function EditForm({ postId, onDone, ...before }: Props) {
  const [text, setText] = useState(before.text);
  const [audience, setAudience] = useState(before.audience);
  const commit = useCommit();
  const save = () => {
    if (length(text) > LONGEST) return;
    onDone();
    const changes = {
      ...(text !== before.text && { text }),
      ...(audience && audience !== before.audience && { audience }),
    };
    if (Object.keys(changes).length) void commit(edit(postId, changes, new Date().toISOString()), texts.edit.failed);
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
        {audience && <AudienceChoice value={audience} onChange={setAudience} />}
        <button type="button" className="button button-small" onClick={onDone}>{texts.edit.cancel}</button>
        <button type="submit" className="button button-small button-primary">{texts.edit.save}</button>
      </div>
    </form>
  );
}
