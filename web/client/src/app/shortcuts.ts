// Keyboard shortcuts that work everywhere on a page.
import { useEffect, useRef } from 'react';

/** Reports whether a key press is a shortcut rather than text. */
function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (document.querySelector('dialog[open]')) return false;
  const target = event.target as Element;
  // The browser keeps the focus in a closed dialog until it draws the page.
  return target.closest('dialog:not([open])') !== null || !target.closest('input, textarea, select, [contenteditable], [role=menu]');
}

/** Runs a function on a key press while the component is mounted. */
export function useShortcut(key: string, something: () => void): void {
  const latest = useRef(something);
  useEffect(() => {
    latest.current = something;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== key || !isShortcut(event)) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [key]);
}

/** The post that has the focus or contains it. */
export function focusedPost(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('article[data-post]') ?? null;
}
