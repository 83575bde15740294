import { useState } from 'react';

import { Icon } from '../parts/Icon';
import { LiveNow } from '../live/LiveNow';
import { useSession } from '../session/session';
import { navigate } from './history';
import { searchHref, type Route } from './routes';
import { ServerLinks } from './ServerLinks';

/** What stands beside the page on a wide screen. */
export function Aside({ route }: { route: Route }) {
  const { session } = useSession();
  const [text, setText] = useState('');
  return (
    <aside className="beside" aria-label="Beside the page">
      {route.name !== 'search' && (
        <form
          className="search"
          role="search"
          aria-label="People"
          onSubmit={(event) => {
            event.preventDefault();
            navigate(searchHref(text.trim()));
          }}
        >
          <Icon name="search" />
          <input type="search" dir="auto" aria-label="Find people" placeholder="Find people" maxLength={100} value={text} onChange={(event) => setText(event.target.value)} />
        </form>
      )}
      {session.user && route.name !== 'live' && <LiveNow />}
      <ServerLinks />
      <p className="hint">Press <kbd>?</kbd> for the keys.</p>
    </aside>
  );
}
