import { useRef, useState, type FormEvent } from 'react';

import { Avatar } from '../parts/Avatar';
import { Icon } from '../parts/Icon';
import { explain, Failure, sentence } from '../relay/failure';
import { nextOf, signIn, useSession, type Session } from './session';

/** Signs in, as a demo user where that is offered, and by token everywhere. */
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
      // What is for administrators is not part of this page.
      if (next && made.admin) location.assign(next);
      else change(made);
    } catch (error) {
      setProblem(wordsOf(error));
      setBusy(false);
    }
  };
  return (
    <section className="sign-in" aria-labelledby="sign-in-title" aria-busy={busy}>
      <h2 id="sign-in-title">Sign in</h2>
      {expired && <p className="note" role="status">Your sign-in has expired. What you were writing is kept for when you are back.</p>}
      {next && <p className="note" role="status">{nextNote(new URL(next, location.href).pathname, session)}</p>}
      {problem && <p className="note note-bad" role="alert">{problem}</p>}
      {session.demoUsers.length > 0 && <DemoUsers users={session.demoUsers} onChoose={(id) => void enter({ demoUserId: id })} />}
      {session.demoLink && <p className="note">To sign in as a demo user, open the demo link that the server has printed where it was started.</p>}
      <TokenForm onToken={(token) => void enter({ token })} />
    </section>
  );
}

function wordsOf(error: unknown): string {
  // The server says best what is wrong with a token.
  if (error instanceof Failure && error.code !== 'UNREACHABLE') return `That did not work: ${sentence(error.message)}`;
  const { title, help } = explain(error);
  return `That did not work: ${title.toLowerCase()}. ${help}`;
}

function nextNote(path: string, { user }: Session): string {
  return user
    ? `${path} is for administrators, and @${user.handle} is none. Sign in with the token of one.`
    : `${path} is for administrators: sign in as one to open it.`;
}

function DemoUsers({ users, onChoose }: { users: Session['demoUsers']; onChoose(id: string): void }) {
  return (
    <>
      <h3 id="demo-title">As a demo user</h3>
      <p className="hint">Without a password. Only browsers that opened the demo link see this list.</p>
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
      <h3><label htmlFor="token">With a token</label></h3>
      <p className="hint" id="token-hint">Make one with <code>tideline token --user 1</code>, and add <code>--admin</code> to open the task queues.</p>
      <div className="token-row">
        <Icon name="key" />
        <input ref={field} id="token" type="password" autoComplete="off" autoCapitalize="off" spellCheck={false} required aria-describedby="token-hint" />
        <button type="submit" className="button button-primary">Sign in</button>
      </div>
    </form>
  );
}
