import { useEffect } from 'react';

import { Avatar } from '../parts/Avatar';
import { Icon } from '../parts/Icon';
import { newPosts } from './placement';

interface Props {
  count: number;
  authors: readonly { databaseId: string; name: string }[];
  busy: boolean;
  onClick(): void;
}

const FACES = 3;

/** The button that shows what is new. Screen readers hear of it when it comes. */
export function NewPostsPill({ count, authors, busy, onClick }: Props) {
  useEffect(() => {
    document.title = count > 0 ? `(${count}) Home · Tideline` : 'Home · Tideline';
  }, [count]);
  return (
    <div className="pill-place">
      <span className="hidden" role="status">{count > 0 ? newPosts(count) : ''}</span>
      {count > 0 && (
        <button type="button" className="pill" aria-busy={busy} onClick={onClick}>
          <Icon name="up" />
          {authors.length > 0 && (
            <span className="pill-faces" aria-hidden="true">
              {authors.slice(0, FACES).map((author) => <Avatar key={author.databaseId} user={author} size="small" />)}
            </span>
          )}
          {newPosts(count)}
        </button>
      )}
    </div>
  );
}
