import { graphql, useFragment } from 'react-relay';

import type { Entry_entry$key } from '../__generated__/Entry_entry.graphql';
import { Link } from '../app/Link';
import { postHref, profileHref } from '../app/routes';
import { Ago } from '../parts/Clock';
import { useToasts } from '../parts/Toasts';
import { Media } from '../post/PostCard';
import { useCommit } from '../relay/commit';
import { useSession } from '../session/session';
import { restorePost } from './sanctions';
import { useRestoreUser } from './useRestoreUser';
import { isUser, useSubject } from './useSubject';
import { moderationTexts } from '../texts/moderation';

const { log: texts, restore } = moderationTexts;

/** A takedown or suspension, with a button to end it. */
export function Entry({ entry: key }: { entry: Entry_entry$key }) {
  const entry = useFragment(
    graphql`
      fragment Entry_entry on ModerationLogEntry {
        __id
        at
        by
        reason
        until
        liftedAt
        liftedBy
        postId
        postDatabaseId
        userId
        userDatabaseId
      }
    `,
    key,
  );
  const { by, lifter, moderatedPost: post, moderatedUser } = useSubject(entry);
  const { postId, userId, liftedAt, liftedBy, until } = entry;
  const handle = (postId ? post?.author : moderatedUser)?.handle;
  const who = handle ? `@${handle}` : texts.unknown;
  const commit = useCommit();
  const toasts = useToasts();
  const { session } = useSession();
  const restoreUser = useRestoreUser(userId ?? '', who, entry.__id);
  const restorePostNow = async () => {
    if (!postId) return;
    const change = restorePost(postId, entry.__id, session.user?.id ?? '');
    if (await commit(change, restore.postFailed)) toasts.show({ tone: 'good', title: restore.postDone });
  };
  const person = handle ? <Link href={profileHref(handle)}>{who}</Link> : who;
  return (
    <li className="live sanction" tabIndex={-1}>
      <div className="live-words">
        <p className="live-title">
          {/* Moderators cannot open a post that is taken down. */}
          {postId && (liftedAt ? <Link href={postHref(postId)}>{texts.post}</Link> : texts.post)} {postId && texts.postBy} {person}{' '}
          <span className={liftedAt ? 'badge' : 'badge badge-bad'}>{liftedAt ? texts.lifted : postId ? texts.takenDown : texts.suspended}</span>
        </p>
        {postId && post && (
          <blockquote className="quoted">
            <p className="composer-about" dir="auto">{post.text || texts.noText(post.media.length)}</p>
            <Media urls={post.media} />
          </blockquote>
        )}
        <p>{texts.reason} <q dir="auto">{entry.reason}</q></p>
        <p className="live-host">
          {texts.by} {nameOf(entry.by, by?.handle)} · <Ago moment={entry.at} />
          {!postId && <> · {until ? texts.until(until) : texts.noEnd}</>}
          {liftedAt && <> · {liftedBy ? <>{texts.liftedBy} {nameOf(liftedBy, lifter?.handle)}</> : texts.endedByItself} · <Ago moment={liftedAt} /></>}
        </p>
      </div>
      {!liftedAt && (
        <button
          type="button"
          className="button button-small"
          aria-label={postId ? restore.post(who) : restore.user(who)}
          onClick={(event) => {
            // The button disappears.
            event.currentTarget.closest('li')?.focus();
            if (postId) void restorePostNow();
            else restoreUser();
          }}
        >
          {restore.button}
        </button>
      )}
    </li>
  );
}

function nameOf(identity: string, handle: string | undefined): string {
  if (handle) return `@${handle}`;
  return isUser(identity) ? texts.user(identity) : identity.replace(':', ' ');
}
