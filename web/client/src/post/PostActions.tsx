import { graphql, useFragment } from 'react-relay';

import type { PostActions_post$key } from '../__generated__/PostActions_post.graphql';
import { useDesk } from '../app/context';
import { Icon, type IconName } from '../parts/Icon';
import { Menu } from '../parts/Menu';
import { useToasts } from '../parts/Toasts';
import { useCommit } from '../relay/commit';
import { useSession } from '../session/session';
import { favorite, like } from './PostMutations';
import { newKey, publish } from './publish';
import { mayRepost } from './repost';
import { texts } from '../texts';
import { short } from '../texts/format';

/** Reply, repost, like, favorite. */
export function PostActions({ post: key }: { post: PostActions_post$key }) {
  const post = useFragment(
    graphql`
      fragment PostActions_post on Post {
        id
        text
        audience
        author { databaseId handle name isPrivate }
        replyTo { author { databaseId } }
        counters { likes comments reposts favorites }
        viewerHasLiked
        viewerHasFavorited
      }
    `,
    key,
  );
  const { compose, signedIn, account } = useDesk();
  const { session } = useSession();
  const commit = useCommit();
  const about = { name: post.author.name, handle: post.author.handle, text: post.text };
  const { counters } = post;
  const repost = () => signedIn(() => void commit(publish({ text: '', repostOf: post.id }, newKey(), account?.id ?? null), texts.actions.repostFailed));
  return (
    <div className="actions" role="group" aria-label={texts.actions.group}>
      <button
        type="button"
        className="action"
        data-action="reply"
        aria-label={texts.actions.reply(counters.comments)}
        onClick={() => compose({ text: '', replyTo: post.id, about })}
      >
        <Icon name="reply" /> <Count of={counters.comments} />
      </button>
      {mayRepost(post, session.user?.id) ? (
        <Menu
          label={texts.actions.repost(counters.reposts)}
          className="action"
          items={[
            { label: texts.actions.repostNow, hint: texts.actions.repostHint, run: repost },
            { label: texts.actions.quote, hint: texts.actions.quoteHint, run: () => compose({ text: '', repostOf: post.id, about }) },
          ]}
        >
          <Icon name="repost" /> <Count of={counters.reposts} />
        </Menu>
      ) : (
        <NoRepost label={texts.actions.repost(counters.reposts)} count={counters.reposts} />
      )}
      <Toggle
        name="like" icon="like" label={texts.actions.like(counters.likes)} on={post.viewerHasLiked} count={counters.likes}
        onClick={() => signedIn(() => void commit(like(post), post.viewerHasLiked ? texts.actions.unlikeFailed : texts.actions.likeFailed))}
      />
      <Toggle
        name="favorite" icon="favorite" label={texts.actions.favorite(counters.favorites)} on={post.viewerHasFavorited} count={counters.favorites}
        onClick={() => signedIn(() => void commit(favorite(post), post.viewerHasFavorited ? texts.actions.unfavoriteFailed : texts.actions.favoriteFailed))}
      />
    </div>
  );
}

// Can be pressed, because a touch screen shows the reason in no other way.
function NoRepost({ label, count }: { label: string; count: number }) {
  const toasts = useToasts();
  const reason = texts.actions.notForReposts;
  return (
    <button
      type="button"
      className="action"
      aria-disabled="true"
      aria-label={`${label}. ${reason}`}
      title={reason}
      onClick={() => toasts.show({ tone: 'bad', title: reason })}
    >
      <Icon name="repost" /> <Count of={count} />
    </button>
  );
}

interface ToggleProps {
  name: string;
  icon: IconName;
  label: string;
  on: boolean;
  count: number;
  onClick(): void;
}

function Toggle({ name, icon, label, on, count, onClick }: ToggleProps) {
  return (
    <button
      type="button"
      className={`action action-${name}`}
      data-action={name}
      aria-pressed={on}
      aria-label={label}
      onClick={onClick}
    >
      <Icon name={icon} filled={on} /> <Count of={count} />
    </button>
  );
}

function Count({ of }: { of: number }) {
  return <span className="count">{of > 0 ? short(of) : ''}</span>;
}
