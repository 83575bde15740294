import { Suspense, useState } from 'react';

import { Icon } from '../parts/Icon';
import { Optional } from '../parts/Optional';
import { useSession } from '../session/session';
import { navigate } from './history';
import { LiveNow } from './pages';
import { searchHref, type Route } from './routes';
import { ServerLinks } from './ServerLinks';
import { texts } from '../texts';

/** The sidebar of a wide screen. */
export function Aside({ route }: { route: Route }) {
  const { session } = useSession();
  const [text, setText] = useState('');
  return (
    <aside className="aside" aria-label={texts.app.sidebar}>
      {route.name !== 'search' && (
        <form
          className="search"
          role="search"
          aria-label={texts.app.people}
          onSubmit={(event) => {
            event.preventDefault();
            navigate(searchHref(text.trim()));
          }}
        >
          <Icon name="search" />
          <input type="search" dir="auto" aria-label={texts.app.findPeople} placeholder={texts.app.findPeople} maxLength={100} value={text} onChange={(event) => setText(event.target.value)} />
        </form>
      )}
      {session.user && route.name !== 'live' && <Optional><Suspense><LiveNow /></Suspense></Optional>}
      <ServerLinks />
      <p className="hint">{texts.app.shortcutsHint}</p>
    </aside>
  );
}
