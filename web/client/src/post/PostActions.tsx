import { graphql, useFragment } from 'react-relay';

import type { PostActions_post$key } from '../__generated__/PostActions_post.graphql';
import { useDesk } from '../app/context';
import { Icon, type IconName } from '../parts/Icon';
import { Menu } from '../parts/Menu';
import { counted, short } from '../parts/time';
import { useCommit } from '../relay/commit';
import { favorite, like } from './PostMutations';
import { newKey, publish } from './publish';

/** Reply, repost, like, favorite. */
export function PostActions({ post: key }: { post: PostActions_post$key }) {
  const post = useFragment(
    graphql`
      fragment PostActions_post on Post {
        id
        text
        author { handle name }
        counters { likes comments reposts favorites }
        viewerHasLiked
        viewerHasFavorited
      }
    `,
    key,
  );
  const { compose, signedIn, account } = useDesk();
  const commit = useCommit();
  const about = { name: post.author.name, handle: post.author.handle, text: post.text };
  const { counters } = post;
  const repost = () => signedIn(() => void commit(publish({ text: '', repostOf: post.id }, newKey(), account?.id ?? null), 'Not reposted'));
  return (
    <div className="actions" role="group" aria-label="Actions">
      <button
        type="button"
        className="action"
        data-action="reply"
        aria-label={`Reply, ${counted(counters.comments, 'reply', 'replies')}`}
        onClick={() => compose({ text: '', replyTo: post.id, about })}
      >
        <Icon name="reply" /> <Count of={counters.comments} />
      </button>
      <Menu
        label={`Repost, ${counted(counters.reposts, 'repost')}`}
        className="action"
        items={[
          { label: 'Repost', hint: 'Show it to your followers', run: repost },
          { label: 'Repost with words', hint: 'Say something about it', run: () => compose({ text: '', repostOf: post.id, about }) },
        ]}
      >
        <Icon name="repost" /> <Count of={counters.reposts} />
      </Menu>
      <Toggle
        name="like" icon="like" label="Like" on={post.viewerHasLiked} count={counters.likes} one="like"
        onClick={() => signedIn(() => void commit(like(post), post.viewerHasLiked ? 'Still liked' : 'Not liked'))}
      />
      <Toggle
        name="favorite" icon="favorite" label="Favorite" on={post.viewerHasFavorited} count={counters.favorites} one="favorite"
        onClick={() => signedIn(() => void commit(favorite(post), post.viewerHasFavorited ? 'Still a favorite' : 'Not made a favorite'))}
      />
    </div>
  );
}

interface ToggleProps {
  name: string;
  icon: IconName;
  label: string;
  on: boolean;
  count: number;
  one: string;
  onClick(): void;
}

function Toggle({ name, icon, label, on, count, one, onClick }: ToggleProps) {
  return (
    <button
      type="button"
      className={`action action-${name}`}
      data-action={name}
      aria-pressed={on}
      aria-label={`${label}, ${counted(count, one)}`}
      onClick={onClick}
    >
      <Icon name={icon} filled={on} /> <Count of={count} />
    </button>
  );
}

function Count({ of }: { of: number }) {
  return <span className="count">{of > 0 ? short(of) : ''}</span>;
}
