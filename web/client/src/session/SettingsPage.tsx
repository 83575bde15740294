import { Suspense, useState } from 'react';

import { useDesk } from '../app/context';
import { PageHead } from '../app/PageHead';
import { ServerLinks } from '../app/ServerLinks';
import { applyTheme, readTheme, THEMES, type Theme } from '../app/theme';
import { Loading } from '../parts/Trouble';
import { ShortcutList } from '../app/ShortcutList';
import { Icon } from '../parts/Icon';
import { useToasts } from '../parts/Toasts';
import { forgetDrafts } from '../post/drafts';
import { explain } from '../relay/failure';
import { KeptAway } from './KeptAway';
import { signOut, useSession } from './session';

/** The program's version, which the server wrote into the page. */
const version = () => document.getElementById('client')?.dataset['version'] ?? '';

/** The look of the page, who is kept away, the keys, and the way out. */
export default function SettingsPage({ attempt }: { attempt: number }) {
  const { session } = useSession();
  const { account } = useDesk();
  return (
    <>
      <PageHead title="Settings" />
      <div className="settings">
        {session.user && <Account handle={account?.handle ?? session.user.handle} id={session.user.id} admin={session.admin} />}
        <Look />
        {session.user && (
          <Suspense fallback={<Loading label="Loading who is kept away" rows={2} />}>
            <KeptAway attempt={attempt} />
          </Suspense>
        )}
        <section className="card" aria-labelledby="keys-title">
          <h2 id="keys-title">Keys</h2>
          <ShortcutList />
        </section>
        <section className="card" aria-labelledby="server-title">
          <h2 id="server-title">The server</h2>
          <ServerLinks label="Other pages of the server" />
          <p className="hint"><a href="/assets/LICENCES.txt">Licences of what this page is made of</a></p>
          {version() && <p className="hint">Tideline {version()}</p>}
        </section>
      </div>
    </>
  );
}

function Account({ handle, id, admin }: { handle: string; id: string; admin: boolean }) {
  const { change } = useSession();
  const toasts = useToasts();
  const leave = async () => {
    try {
      change(await signOut());
      forgetDrafts();
    } catch (error) {
      const { title, away } = explain(error);
      toasts.show({ tone: 'bad', title: 'Still signed in', text: title, away });
    }
  };
  return (
    <section className="card" aria-labelledby="account-title">
      <h2 id="account-title">Account</h2>
      <p>Signed in as <strong>@{handle}</strong> (user {id}){admin && ', an administrator'}.</p>
      <button type="button" className="button" onClick={() => void leave()}><Icon name="out" /> Sign out</button>
    </section>
  );
}

const LOOKS: Record<Theme, string> = { system: 'As the system', light: 'Light', dark: 'Dark' };

function Look() {
  const [theme, setTheme] = useState(readTheme);
  return (
    <fieldset className="card look">
      <legend>Look</legend>
      {THEMES.map((one) => (
        <label key={one}>
          <input
            type="radio"
            name="theme"
            checked={theme === one}
            onChange={() => {
              setTheme(one);
              applyTheme(one);
            }}
          />
          {LOOKS[one]}
        </label>
      ))}
    </fieldset>
  );
}
