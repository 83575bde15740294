// The theme of the page: the system's, unless the visitor chose one.

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const NAME = 'tideline-theme';

/** Returns the theme that the visitor chose. */
export function readTheme(): Theme {
  const kept = localStorage.getItem(NAME);
  return THEMES.find((theme) => theme === kept) ?? 'system';
}

/** Applies a theme and stores it. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(NAME);
    delete document.documentElement.dataset['theme'];
  } else {
    localStorage.setItem(NAME, theme);
    document.documentElement.dataset['theme'] = theme;
  }
}
