import { useEffect, type ReactNode } from 'react';

import { Icon } from '../parts/Icon';
import { goBack } from './history';
import { texts } from '../texts';

/** The head of a page: its title, which is also the title of the window, and its controls. */
export function PageHead({ title, back = false, children }: { title: string; back?: boolean; children?: ReactNode }) {
  useEffect(() => {
    document.title = texts.title(title);
  }, [title]);
  return (
    <header className="page-head">
      {back && (
        <button type="button" className="icon-button" aria-label={texts.app.back} onClick={() => goBack('/')}>
          <Icon name="back" />
        </button>
      )}
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </header>
  );
}
