import { useDesk, type Composing } from '../app/context';
import { Avatar } from '../parts/Avatar';
import { length } from '../parts/text';
import { useCommit } from '../relay/commit';
import { useSession } from '../session/session';
import { AudienceChoice } from './AudienceChoice';
import { draftName, putBack, settle, takeToSend, useAudience, useDraft } from './drafts';
import { newKey, publish } from './publish';
import { LONGEST, TextField } from './TextField';
import { texts } from '../texts';

interface Props {
  draft: Composing;
  autoFocus?: boolean;
  onSent?(): void;
}

/** The form for a post, a reply or a quote. */
export function Composer({ draft, autoFocus = false, onSent }: Props) {
  const { session } = useSession();
  const name = draftName(session.user?.id ?? '', draft);
  const [text, setText] = useDraft(name);
  const [audience, setAudience] = useAudience(session.user?.id ?? '');
  const { account } = useDesk();
  const commit = useCommit();
  const ready = length(text) <= LONGEST && (text.trim() !== '' || draft.repostOf !== undefined);
  const words = wordsFor(draft);
  const isPost = !draft.replyTo && !draft.repostOf;
  const send = async () => {
    if (!ready) return;
    const { about: _, ...target } = draft;
    const content = { ...target, text, ...(isPost && { audience }) };
    const key = takeToSend(name, content, newKey);
    onSent?.();
    const sent = await commit(publish(content, key, account?.id ?? null), texts.composer.failed, () => settle(name, text));
    if (!sent) putBack(name, text);
  };
  return (
    <form
      className="composer"
      aria-label={words.label}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {account ? <Avatar user={account} /> : <span className="avatar" />}
      <div className="composer-main">
        {draft.about && (
          <blockquote className="quoted">
            <p className="post-by"><strong dir="auto">{draft.about.name}</strong> <span className="post-handle">@{draft.about.handle}</span></p>
            <p className="post-text composer-about" dir="auto">{draft.about.text}</p>
          </blockquote>
        )}
        <TextField label={words.label} placeholder={words.placeholder} value={text} onChange={setText} onSend={() => void send()} autoFocus={autoFocus} />
        <div className="composer-foot">
          <small className="composer-hint">{texts.composer.hint}</small>
          {isPost && <AudienceChoice value={audience} onChange={setAudience} />}
          <button type="submit" className="button button-primary" aria-disabled={!ready}>{words.button}</button>
        </div>
      </div>
    </form>
  );
}

function wordsFor(draft: Composing) {
  const { post, reply, quote } = texts.composer;
  if (draft.replyTo) return reply;
  return draft.repostOf ? quote : post;
}
