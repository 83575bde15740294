import { Suspense, useEffect, useRef, type ReactNode, type RefObject } from 'react';

import HomePage from '../feed/HomePage';
import { Icon } from '../parts/Icon';
import { useStore } from '../parts/store';
import { Boundary, Empty, Loading } from '../parts/Trouble';
import PostPage from '../post/PostPage';
import { nextOf, useSession } from '../session/session';
import WelcomePage from '../session/WelcomePage';
import { Aside } from './Aside';
import { useDesk } from './context';
import { place, type Place } from './history';
import { Link } from './Link';
import { Navigation } from './Navigation';
import { PageHead } from './PageHead';
import { forgetFailures, ListPage, ListsPage, LivePage, ModerationPage, ProfilePage, RequestsPage, SearchPage, SettingsPage } from './pages';
import { parseRoute, type Route } from './routes';
import { StatusBar } from './StatusBar';
import { texts } from '../texts';

/** The pages with a compose button on a small screen. */
const WRITTEN_ON: ReadonlySet<Route['name']> = new Set(['home', 'profile', 'post'] as const);

/** The frame of every page: navigation, page and sidebar. */
export function Shell() {
  const here = useStore(place);
  const { session } = useSession();
  const { compose } = useDesk();
  const route = parseRoute(here.path, here.search);
  const main = useArrival(here);
  const welcome = route.name === 'home' && (!session.user || nextOf(here.search, location.href) !== null);
  return (
    <div className={welcome ? 'shell shell-welcome' : 'shell'}>
      <a className="skip" href="#main">{texts.app.skip}</a>
      <StatusBar />
      {!welcome && <Navigation route={route} />}
      <main id="main" ref={main} tabIndex={-1}>
        <Boundary key={here.key} onRetry={forgetFailures}>
          {(attempt) => (
            <Suspense fallback={<Loading label={texts.app.loadingPage} />}>
              {welcome ? <WelcomePage /> : <Page key={here.key} route={route} attempt={attempt} />}
            </Suspense>
          )}
        </Boundary>
      </main>
      {!welcome && <Aside route={route} />}
      {!welcome && session.user && WRITTEN_ON.has(route.name) && (
        <button type="button" className="compose-button" aria-label={texts.app.writePost} onClick={() => compose({ text: '' })}>
          <Icon name="compose" />
        </button>
      )}
    </div>
  );
}

function Page({ route, attempt }: { route: Route; attempt: number }) {
  switch (route.name) {
    case 'home':
      return <HomePage {...route} attempt={attempt} />;
    case 'profile':
      return <ProfilePage handle={route.handle} tab={route.tab} attempt={attempt} />;
    case 'post':
      return <PostPage id={route.id} attempt={attempt} />;
    case 'live':
      return <Private title={texts.app.signInForLive} hint={texts.app.livePrivate}><LivePage attempt={attempt} /></Private>;
    case 'lists':
      return <Private title={texts.signIn.needed}><ListsPage attempt={attempt} /></Private>;
    case 'list':
      return <ListPage id={route.id} members={route.members} attempt={attempt} />;
    case 'requests':
      return <Private title={texts.app.signInForRequests}><RequestsPage sent={route.sent} attempt={attempt} /></Private>;
    case 'moderation':
      return <Private title={texts.signIn.needed}><ModerationPage attempt={attempt} /></Private>;
    case 'search':
      return <SearchPage query={route.query} />;
    case 'settings':
      return <SettingsPage attempt={attempt} />;
    case 'lost':
      return (
        <>
          <PageHead title={texts.app.notFoundTitle} />
          <Empty icon="search" title={texts.app.notFound}><Link className="button" href="/">{texts.app.goHome}</Link></Empty>
        </>
      );
  }
}

function Private({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  const { session, expired } = useSession();
  if (session.user) return children;
  return (
    <Empty icon="key" title={expired ? texts.signIn.expired : title}>
      {hint && <p>{hint}</p>}
      <Link className="button button-primary" href="/">{texts.navigation.signIn}</Link>
    </Empty>
  );
}

// Scrolls each new page to its top and focuses it for screen readers. Pages that the visitor
// returns to restore their own place.
function useArrival(here: Place): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    if (here.returned) return;
    scrollTo({ top: 0, behavior: 'instant' });
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [here.key, here.returned]);
  return main;
}
