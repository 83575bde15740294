import { useEffect, type ReactNode } from 'react';

import { Icon } from '../parts/Icon';
import { goBack } from './history';

/** The head of a page: its name, which is the window's as well, and what belongs beside it. */
export function PageHead({ title, back = false, children }: { title: string; back?: boolean; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Tideline`;
  }, [title]);
  return (
    <header className="page-head">
      {back && (
        <button type="button" className="icon-button" aria-label="Back" onClick={() => goBack('/')}>
          <Icon name="back" />
        </button>
      )}
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </header>
  );
}
