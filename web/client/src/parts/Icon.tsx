// Icons, drawn as strokes in the text colour. Text or a named control always accompanies them,
// so screen readers skip them.

const PATHS = {
  home: 'M3 11.5 12 4l9 7.5M5.5 10v9.5h13V10M10 19.5v-5.5h4v5.5',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 21 21',
  live: 'M12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7.8 16.2a6 6 0 0 1 0-8.4M16.2 7.8a6 6 0 0 1 0 8.4M4.9 19.1a10 10 0 0 1 0-14.2M19.1 4.9a10 10 0 0 1 0 14.2',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.6-4 3.6-6 7.5-6s6.9 2 7.5 6',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  compose: 'M4 20h4L19.5 8.5a2.1 2.1 0 0 0-3-3L5 17l-1 3ZM14.5 7.5l3 3',
  reply: 'M20 12.5c0 3.9-3.6 7-8 7-1.2 0-2.4-.2-3.4-.7L4 20l1.3-3.7C4.5 15.2 4 13.9 4 12.5c0-3.9 3.6-7 8-7s8 3.1 8 7Z',
  repost: 'M4 11V9a3 3 0 0 1 3-3h11M15 3l3 3-3 3M20 13v2a3 3 0 0 1-3 3H6M9 21l-3-3 3-3',
  like: 'M12 20C7 16.3 3.5 13.3 3.5 9.5A4.5 4.5 0 0 1 12 7.4a4.5 4.5 0 0 1 8.5 2.1C20.5 13.3 17 16.3 12 20Z',
  favorite: 'm12 3.5 2.6 5.4 5.9.8-4.3 4.1 1 5.9L12 16.9l-5.2 2.8 1-5.9L3.5 9.7l5.9-.8L12 3.5Z',
  more: 'M5 12a.7.7 0 1 0 1.4 0 .7.7 0 1 0-1.4 0ZM11.3 12a.7.7 0 1 0 1.4 0 .7.7 0 1 0-1.4 0ZM17.6 12a.7.7 0 1 0 1.4 0 .7.7 0 1 0-1.4 0Z',
  close: 'M6 6l12 12M18 6 6 18',
  back: 'M19 12H5M11 6l-6 6 6 6',
  up: 'M12 19V5M6 11l6-6 6 6',
  offline: 'M3 3l18 18M9 16.5a4.5 4.5 0 0 1 6 0M6 13a9 9 0 0 1 4-2.3M14.5 10.9A9 9 0 0 1 18 13M3 9.5A14 14 0 0 1 7 7M11 5.5a14 14 0 0 1 10 4M12 20h.01',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.5 2',
  play: 'M8 5.5v13l11-6.5-11-6.5Z',
  picture: 'M4 5h16v14H4V5ZM4 16l5-5 4 4 2.5-2.5L20 17M15.5 9.5h.01',
  refresh: 'M20 11a8 8 0 0 0-14.3-4L4 9M4 4v5h5M4 13a8 8 0 0 0 14.3 4l1.7-2M20 20v-5h-5',
  lock: 'M6 10.5h12v9H6v-9ZM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5',
  shield: 'M12 3.5 5 6v5.5c0 4.3 2.9 7.4 7 9 4.1-1.6 7-4.7 7-9V6l-7-2.5Z',
  out: 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9',
  key: 'M14.5 13a4.5 4.5 0 1 0-4.3-3.2L4 16v4h4v-2.5h2.5V15l1.8-1.8c.7.3 1.4-.2 2.2-.2ZM16 8h.01',
} as const;

export type IconName = keyof typeof PATHS;

/** Draws an icon in the size of the text; filled for an active state. */
export function Icon({ name, filled = false }: { name: IconName; filled?: boolean }) {
  return (
    <svg className={filled ? 'icon icon-filled' : 'icon'} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** Draws a lock that says who is let in. */
export function Lock({ label }: { label: string }) {
  return <span className="lock" role="img" aria-label={label} title={label}><Icon name="lock" /></span>;
}

/** The logo: three tide lines. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="9" />
      <path d="M5 11c3.7-3 7.3-3 11 0s7.3 3 11 0" />
      <path d="M5 18c3.7-3 7.3-3 11 0s7.3 3 11 0" opacity=".75" />
      <path d="M5 25c3.7-3 7.3-3 11 0s7.3 3 11 0" opacity=".45" />
    </svg>
  );
}
