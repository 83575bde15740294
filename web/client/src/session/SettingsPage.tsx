import { Suspense, useState } from 'react';

import { useDesk } from '../app/context';
import { PageHead } from '../app/PageHead';
import { ServerLinks } from '../app/ServerLinks';
import { applyTheme, readTheme, THEMES } from '../app/theme';
import { Loading } from '../parts/Trouble';
import ShortcutList from '../app/ShortcutList';
import { Icon } from '../parts/Icon';
import { useToasts } from '../parts/Toasts';
import { forgetDrafts } from '../post/drafts';
import { explain } from '../relay/failure';
import { KeptAway } from './KeptAway';
import { PrivacySwitch } from './PrivacySwitch';
import { signOut, useSession } from './session';
import { texts } from '../texts';
import { pageTexts } from '../texts/pages';

/** The version of the server, from the page. */
const version = () => document.getElementById('client')?.dataset['version'] ?? '';

/** Account, privacy, theme, muted and blocked users, shortcuts. */
export default function SettingsPage({ attempt }: { attempt: number }) {
  const { session } = useSession();
  const { account } = useDesk();
  return (
    <>
      <PageHead title={pageTexts.settings.title} />
      <div className="settings">
        {session.user && <Account handle={account?.handle ?? session.user.handle} id={session.user.id} role={session.admin ? 'administrator' : account?.moderates ? 'moderator' : null} />}
        {session.user && (
          <Suspense fallback={<Loading label={pageTexts.settings.loadingPrivacy} rows={1} />}>
            <PrivacySwitch attempt={attempt} />
          </Suspense>
        )}
        <ThemeChoice />
        {session.user && (
          <Suspense fallback={<Loading label={pageTexts.settings.loading} rows={2} />}>
            <KeptAway attempt={attempt} />
          </Suspense>
        )}
        <section className="card" aria-labelledby="keys-title">
          <h2 id="keys-title">{texts.shortcuts}</h2>
          <ShortcutList />
        </section>
        <section className="card" aria-labelledby="server-title">
          <h2 id="server-title">{pageTexts.settings.server}</h2>
          <ServerLinks label={pageTexts.settings.serverPages} />
          <p className="hint"><a href="/assets/LICENCES.txt">{pageTexts.settings.licenses}</a></p>
          {version() && <p className="hint">{pageTexts.settings.version(version())}</p>}
        </section>
      </div>
    </>
  );
}

function Account({ handle, id, role }: { handle: string; id: string; role: keyof typeof pageTexts.settings.roles | null }) {
  const { change } = useSession();
  const toasts = useToasts();
  const leave = async () => {
    try {
      change(await signOut());
      forgetDrafts();
    } catch (error) {
      const { title, away } = explain(error);
      toasts.show({ tone: 'bad', title: pageTexts.settings.signOutFailed, text: title, away });
    }
  };
  return (
    <section className="card" aria-labelledby="account-title">
      <h2 id="account-title">{pageTexts.settings.account}</h2>
      <p>{pageTexts.settings.signedInAs(handle, id, role && pageTexts.settings.roles[role])}</p>
      <button type="button" className="button" onClick={() => void leave()}><Icon name="out" /> {pageTexts.settings.signOut}</button>
    </section>
  );
}

function ThemeChoice() {
  const [theme, setTheme] = useState(readTheme);
  return (
    <fieldset className="card look">
      <legend>{pageTexts.settings.theme}</legend>
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
          {pageTexts.settings.themes[one]}
        </label>
      ))}
    </fieldset>
  );
}
