import { useEffect } from 'react';

import { Avatar } from '../parts/Avatar';
import { Icon } from '../parts/Icon';
import { COUNTED_AT_MOST } from './placement';
import { texts } from '../texts';

interface Props {
  /** The title of the window. */
  title: string;
  count: number;
  authors: readonly { databaseId: string; name: string }[];
  busy: boolean;
  onClick(): void;
}

const FACES = 3;

/** The button that shows new posts. Screen readers announce it. */
export function NewPostsPill({ title, count, authors, busy, onClick }: Props) {
  useEffect(() => {
    document.title = texts.title(count > 0 ? `(${count}) ${title}` : title);
  }, [title, count]);
  const label = texts.home.newPosts(count, COUNTED_AT_MOST);
  return (
    <div className="pill-place">
      <span className="hidden" role="status">{count > 0 ? label : ''}</span>
      {count > 0 && (
        <button type="button" className="pill" aria-busy={busy} onClick={onClick}>
          <Icon name="up" />
          {authors.length > 0 && (
            <span className="pill-faces" aria-hidden="true">
              {authors.slice(0, FACES).map((author) => <Avatar key={author.databaseId} user={author} size="small" />)}
            </span>
          )}
          {label}
        </button>
      )}
    </div>
  );
}
