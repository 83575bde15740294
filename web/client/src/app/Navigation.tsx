import { Suspense } from 'react';

import { Icon, Mark, type IconName } from '../parts/Icon';
import { Optional } from '../parts/Optional';
import { createStore, useStore } from '../parts/store';
import type { NewsState } from '../feed/news';
import { waiting } from '../feed/placement';
import { useSession } from '../session/session';
import { useDesk, useNews } from './context';
import { Link } from './Link';
import { RequestsLink } from './pages';
import { profileHref, type Route } from './routes';
import { texts } from '../texts';

interface Way {
  name: Route['name'];
  label: string;
  icon: IconName;
  href: string;
  here: boolean;
}

const QUIET = createStore<NewsState>({ posts: [], counted: 0 });

/** The main navigation: a column, or a bar below the page on a small screen. */
export function Navigation({ route }: { route: Route }) {
  const { session } = useSession();
  const { compose, account } = useDesk();
  const { posts, counted } = useStore(useNews()?.state ?? QUIET);
  const isNew = route.name !== 'home' && waiting(posts.length, counted) > 0;
  const own = account?.handle ?? session.user?.handle;
  const at = (name: Route['name']) => route.name === name;
  const ways: Way[] = [
    { name: 'home', label: texts.navigation.home, icon: 'home', href: '/', here: at('home') },
    { name: 'search', label: texts.navigation.search, icon: 'search', href: '/search', here: at('search') },
    { name: 'live', label: texts.navigation.live, icon: 'live', href: '/live', here: at('live') },
    ...(own
      ? [
        { name: 'lists' as const, label: texts.navigation.lists, icon: 'list' as const, href: '/lists', here: at('lists') || at('list') },
        { name: 'profile' as const, label: texts.navigation.profile, icon: 'person' as const, href: profileHref(own), here: route.name === 'profile' && route.handle === own },
      ]
      : []),
    ...(account?.moderates
      ? [{ name: 'moderation' as const, label: texts.navigation.moderation, icon: 'shield' as const, href: '/moderation', here: at('moderation') }]
      : []),
    { name: 'settings', label: texts.navigation.settings, icon: 'settings', href: '/settings', here: at('settings') },
  ];
  return (
    <header className="side">
      <Link href="/" className="brand" aria-label={texts.navigation.homeLink}><Mark /><span>{texts.app.name}</span></Link>
      <nav className="ways" aria-label={texts.navigation.main}>
        {ways.map((way) => (
          <Link key={way.name} href={way.href} className="way" aria-current={way.here ? 'page' : undefined}>
            <Icon name={way.icon} filled={false} />
            <span>{way.label}</span>
            {way.name === 'home' && isNew && <span className="dot"><span className="hidden">{texts.navigation.newPosts}</span></span>}
          </Link>
        ))}
        {/* Counts the requests again on each page. */}
        {session.user && <Optional key={route.name}><Suspense><RequestsLink here={at('requests')} /></Suspense></Optional>}
      </nav>
      {session.user ? (
        <button type="button" className="button button-primary side-compose" onClick={() => compose({ text: '' })}>
          <Icon name="compose" /> <span>{texts.navigation.newPost}</span>
        </button>
      ) : (
        <Link href="/" className="button button-primary side-compose"><Icon name="key" /> <span>{texts.navigation.signIn}</span></Link>
      )}
    </header>
  );
}
