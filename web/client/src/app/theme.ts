// Whether the page is light or dark: as the system says, unless the visitor chose.

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const NAME = 'tideline-theme';

/** Returns what the visitor chose. */
export function readTheme(): Theme {
  const kept = localStorage.getItem(NAME);
  return THEMES.find((theme) => theme === kept) ?? 'system';
}

/** Shows a theme from now on, also after the next start. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(NAME);
    delete document.documentElement.dataset['theme'];
  } else {
    localStorage.setItem(NAME, theme);
    document.documentElement.dataset['theme'] = theme;
  }
}
