// Keys that do something wherever the visitor is on a page.
import { useEffect, useRef } from 'react';

/** All of them, for the help. */
export const SHORTCUTS: readonly (readonly [key: string, what: string])[] = [
  ['j', 'Next post'],
  ['k', 'Previous post'],
  ['Enter', 'Open the post'],
  ['n', 'Write a post'],
  ['r', 'Reply to the post'],
  ['l', 'Like the post'],
  ['f', 'Make the post a favorite'],
  ['.', 'Show new posts'],
  ['/', 'Search for people'],
  ['h', 'Go home'],
  ['?', 'Show this help'],
];

/** Whether a key press is a shortcut and no text. */
function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (document.querySelector('dialog[open]')) return false;
  const target = event.target as Element;
  // The browser leaves the focus in a dialog that it has closed until it draws the page.
  return target.closest('dialog:not([open])') !== null || !target.closest('input, textarea, select, [contenteditable], [role=menu]');
}

/** Has a key do something while the component is there. */
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

/** The post that has the focus, or of which a part has it. */
export function focusedPost(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('article[data-post]') ?? null;
}
