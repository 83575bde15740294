// The addresses of the client. The server answers each of them with the same page; the
// list is in web/client.go too.

export type Route =
  | { name: 'home'; special: boolean; only: string }
  | { name: 'profile'; handle: string; tab: ProfileTab }
  | { name: 'post'; id: string }
  | { name: 'live' }
  | { name: 'lists' }
  | { name: 'list'; id: string; members: boolean }
  | { name: 'search'; query: string }
  | { name: 'requests'; sent: boolean }
  | { name: 'settings' }
  | { name: 'moderation' }
  | { name: 'lost' };

export const PROFILE_TABS = ['posts', 'following', 'followers', 'live'] as const;
export type ProfileTab = (typeof PROFILE_TABS)[number];

/** Reads an address: its path and its query, as location has them. */
export function parseRoute(path: string, search = ''): Route {
  const query = new URLSearchParams(search);
  const [first = '', second, more] = path.split('/').slice(1).map(decoded);
  if (more !== undefined) return { name: 'lost' };
  if (second !== undefined) {
    if (!second) return { name: 'lost' };
    if (first === 'u') return { name: 'profile', handle: second, tab: tabOf(query.get('tab')) };
    if (first === 'lists') return { name: 'list', id: second, members: query.get('tab') === 'members' };
    return first === 'p' ? { name: 'post', id: second } : { name: 'lost' };
  }
  switch (first) {
    case '':
      return { name: 'home', special: query.get('tab') === 'special', only: query.get('only') ?? '' };
    case 'search':
      return { name: 'search', query: query.get('q') ?? '' };
    case 'requests':
      return { name: 'requests', sent: query.get('tab') === 'sent' };
    case 'live':
    case 'lists':
    case 'settings':
    case 'moderation':
      return { name: first };
    default:
      return { name: 'lost' };
  }
}

/**
 * The address of a home feed.
 *
 * @param only the filter, as feed/filter.ts reads it
 */
export const homeHref = (special: boolean, only: string): string =>
  `/?${special ? 'tab=special&' : ''}${only && `only=${only}`}`.replace(/[?&]$/, '');

/** The address of a profile. */
export const profileHref = (handle: string, tab: ProfileTab = 'posts'): string =>
  `/u/${encodeURIComponent(handle)}${tab === 'posts' ? '' : `?tab=${tab}`}`;

/** The address of a content and what answers it. */
export const postHref = (id: string): string => `/p/${encodeURIComponent(id)}`;

/** The address of a list of authors, or of its members. */
export const listHref = (id: string, members = false): string => `/lists/${encodeURIComponent(id)}${members ? '?tab=members' : ''}`;

/** The address of a search. */
export const searchHref = (query: string): string => (query ? `/search?q=${encodeURIComponent(query)}` : '/search');

/** The address of the requests to follow the viewer, or of those that the viewer has sent. */
export const requestsHref = (sent: boolean): string => (sent ? '/requests?tab=sent' : '/requests');

function tabOf(value: string | null): ProfileTab {
  return PROFILE_TABS.find((tab) => tab === value) ?? 'posts';
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
