import { useEffect, useRef } from 'react';

import { listKey } from '../app/history';
import { putBookmark } from './bookmark';

interface Edge {
  cursor: string | null;
  node: { id: string };
}

/** Stores the visitor's place in the home feed when they leave or reload the page. */
export function useBookmark(edges: readonly Edge[]): void {
  const latest = useRef(edges);
  useEffect(() => {
    latest.current = edges;
  });
  useEffect(() => {
    const note = () => {
      const first = firstInSight();
      const at = latest.current.findIndex((edge) => edge.node.id === first);
      putBookmark(listKey(), at > 0 ? (latest.current[at - 1]?.cursor ?? null) : null);
    };
    addEventListener('pagehide', note);
    return () => removeEventListener('pagehide', note);
  }, []);
}

function firstInSight(): string | undefined {
  const items = document.querySelectorAll<HTMLElement>('.window-item');
  return [...items].find((item) => item.getBoundingClientRect().bottom > 0)?.dataset['key'];
}
