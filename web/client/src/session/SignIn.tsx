import { useRef, useState, type FormEvent } from 'react';

import { Avatar } from '../parts/Avatar';
import { Icon } from '../parts/Icon';
import { explain, Failure, inOneLine, sentence } from '../relay/failure';
import { nextOf, signIn, useSession, type Session } from './session';
import { texts } from '../texts';

/** The sign-in, by token, or as a demo user if available. */
export function SignIn() {
  const { session, expired, change } = useSession();
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const next = nextOf(location.search, location.href);
  const enter = async (by: Parameters<typeof signIn>[0]) => {
    if (busy) return;
    setBusy(true);
    setProblem('');
    try {
      const made = await signIn(by);
      // Pages for administrators are not part of the client.
      if (next && made.admin) location.assign(next);
      else change(made);
    } catch (error) {
      setProblem(wordsOf(error));
      setBusy(false);
    }
  };
  return (
    <section className="sign-in" aria-labelledby="sign-in-title" aria-busy={busy}>
      <h2 id="sign-in-title">{texts.signIn.title}</h2>
      {expired && <p className="note" role="status">{texts.signIn.expired} {texts.signIn.expiredHint}</p>}
      {next && <p className="note" role="status">{nextNote(new URL(next, location.href).pathname, session)}</p>}
      {problem && <p className="note note-bad" role="alert">{problem}</p>}
      {session.demoUsers.length > 0 && <DemoUsers users={session.demoUsers} onChoose={(id) => void enter({ demoUserId: id })} />}
      {session.demoLink && <p className="note">{texts.signIn.demoLink}</p>}
      <TokenForm onToken={(token) => void enter({ token })} />
    </section>
  );
}

function wordsOf(error: unknown): string {
  // The server's message says what is wrong with a token.
  if (error instanceof Failure && error.code !== 'UNREACHABLE') return texts.signIn.failed(sentence(error.message));
  return texts.signIn.failed(inOneLine(explain(error)));
}

function nextNote(path: string, { user }: Session): string {
  return user ? texts.signIn.notAdmin(path, user.handle) : texts.signIn.adminsOnly(path);
}

function DemoUsers({ users, onChoose }: { users: Session['demoUsers']; onChoose(id: string): void }) {
  return (
    <>
      <h3 id="demo-title">{texts.signIn.demoTitle}</h3>
      <p className="hint">{texts.signIn.demoHint}</p>
      <ul className="demo-users" aria-labelledby="demo-title">
        {users.map((user) => (
          <li key={user.id}>
            <button type="button" className="demo-user" onClick={() => onChoose(user.id)}>
              <Avatar user={{ databaseId: user.id, name: user.name || user.handle }} />
              <span className="person-words"><strong>{user.name || user.handle}</strong> <span>@{user.handle}</span></span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function TokenForm({ onToken }: { onToken(token: string): void }) {
  const field = useRef<HTMLInputElement>(null);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const token = field.current?.value.trim();
    if (token) onToken(token);
  };
  return (
    <form className="token-form" onSubmit={send}>
      <h3><label htmlFor="token">{texts.signIn.tokenTitle}</label></h3>
      <p className="hint" id="token-hint">{texts.signIn.tokenHint}</p>
      <div className="token-row">
        <Icon name="key" />
        <input ref={field} id="token" type="password" autoComplete="off" autoCapitalize="off" spellCheck={false} required aria-describedby="token-hint" />
        <button type="submit" className="button button-primary">{texts.signIn.submit}</button>
      </div>
    </form>
  );
}
