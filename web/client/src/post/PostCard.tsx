import { useState } from 'react';
import { graphql, useFragment } from 'react-relay';

import type { PostCard_post$data, PostCard_post$key } from '../__generated__/PostCard_post.graphql';
import type { PostCard_quoted$key } from '../__generated__/PostCard_quoted.graphql';
import { Link } from '../app/Link';
import { navigate } from '../app/history';
import { postHref, profileHref } from '../app/routes';
import { Avatar } from '../parts/Avatar';
import { Ago } from '../parts/Clock';
import { Icon, Lock } from '../parts/Icon';
import { hostOf } from '../parts/text';
import { Words } from '../parts/Words';
import { useSession } from '../session/session';
import { EditForm } from './EditForm';
import { PostActions } from './PostActions';
import { PostMenu } from './PostMenu';
import { isPending } from './publish';
import { plainOriginal } from './repost';
import { texts } from '../texts';

interface Props {
  post: PostCard_post$key;
  /** The position in its list, from 1, and the length of the list; -1 if unknown. */
  position?: number;
  total?: number;
  /** Whether the post is on its own page, where it is larger and not a link. */
  alone?: boolean;
}

/** A post with its actions. */
export function PostCard({ post: key, position, total, alone = false }: Props) {
  const post = useFragment(
    graphql`
      fragment PostCard_post on Post {
        id
        kind
        text
        media
        audience
        publishedAt
        editedAt
        moderation { reason at }
        author { id databaseId handle name }
        replyTo { id author { handle name } }
        repostOf { id ...PostCard_quoted ...PostActions_post }
        ...PostActions_post
        ...PostMenu_post
      }
    `,
    key,
  );
  const { session } = useSession();
  const [editing, setEditing] = useState(false);
  const pending = isPending(post.id);
  const own = session.user?.id === post.author.databaseId;
  const open = () => !alone && !pending && navigate(postHref(post.id));
  const names = `${post.id}-author ${post.id}-text`;
  return (
    <article
      className={`post${alone ? ' post-alone' : ''}${pending ? ' post-pending' : ''}`}
      tabIndex={0}
      data-post={post.id}
      aria-labelledby={names}
      aria-posinset={position}
      aria-setsize={total}
      aria-busy={pending}
      onClick={(event) => opens(event) && open()}
      onKeyDown={(event) => event.key === 'Enter' && event.target === event.currentTarget && open()}
    >
      <Link href={profileHref(post.author.handle)} className="post-face" tabIndex={-1} aria-hidden="true">
        <Avatar user={post.author} />
      </Link>
      <div className="post-main">
        <Head post={post} alone={alone} pending={pending} />
        <div id={`${post.id}-text`}>
          {post.moderation && <TakenDown {...post.moderation} />}
          {editing ? <EditForm postId={post.id} text={post.text} audience={post.kind === 'POST' ? post.audience : null} onDone={() => setEditing(false)} /> : <Text of={post.text} />}
          <Media urls={post.media} />
          {post.repostOf ? <Quoted post={post.repostOf} /> : post.kind === 'REPOST' && <Gone />}
        </div>
        {!pending && (
          <footer className="post-foot">
            <PostActions post={plainOriginal(post) ?? post} />
            <PostMenu post={post} own={own} alone={alone} onEdit={() => setEditing(true)} />
          </footer>
        )}
      </div>
    </article>
  );
}

function Head({ post, alone, pending }: { post: PostCard_post$data; alone: boolean; pending: boolean }) {
  const { author } = post;
  return (
    <header className="post-head">
      <span id={`${post.id}-author`} className="post-by">
        <Link href={profileHref(author.handle)} className="post-name" dir="auto">{author.name}</Link>{' '}
        <span className="post-handle">@{author.handle}</span>
        {post.kind === 'REPOST' && <span className="post-note"> <Icon name="repost" /> {texts.post.reposted}</span>}
      </span>
      <span className="post-time">
        <AudienceLock of={post.audience} />
        {pending ? texts.post.sending : (
          <Link href={postHref(post.id)} className="quiet-link"><Ago moment={post.publishedAt} /></Link>
        )}
        {post.editedAt && <span title={texts.post.editedAt(post.editedAt)}> · {texts.post.edited}</span>}
      </span>
      {post.replyTo && !alone && (
        <Link href={postHref(post.replyTo.id)} className="post-context quiet-link">
          <Icon name="reply" /> {texts.post.replyingTo(post.replyTo.author.handle)}
        </Link>
      )}
    </header>
  );
}

// A click on the card opens it, unless it is on a control or selects text.
function opens(event: React.MouseEvent): boolean {
  const control = (event.target as Element).closest('a, button, input, textarea, [role=menu], dialog');
  return !control && !getSelection()?.toString();
}

function Quoted({ post: key }: { post: PostCard_quoted$key }) {
  const post = useFragment(
    graphql`
      fragment PostCard_quoted on Post {
        id
        text
        media
        audience
        publishedAt
        author { databaseId handle name }
      }
    `,
    key,
  );
  return (
    <div className="quoted">
      <p className="post-by">
        <Avatar user={post.author} size="small" />
        <Link href={profileHref(post.author.handle)} className="post-name" dir="auto">{post.author.name}</Link>{' '}
        <span className="post-handle">@{post.author.handle}</span>
        <Link href={postHref(post.id)} className="quiet-link post-time"><AudienceLock of={post.audience} /><Ago moment={post.publishedAt} /></Link>
      </p>
      <Text of={post.text} />
      <Media urls={post.media} />
    </div>
  );
}

function AudienceLock({ of }: { of: string }) {
  return of === 'FOLLOWERS' && <><Lock label={texts.audience.lock} /> </>;
}

function Text({ of }: { of: string }) {
  return of && <p className="post-text" dir="auto"><Words text={of} /></p>;
}

/** Tells authors that others do not see their post. A source gives no reason. */
function TakenDown({ reason, at }: NonNullable<PostCard_post$data['moderation']>) {
  return (
    <p className="note note-bad">
      {reason && at ? <>{texts.post.takenDownFor(at)} <q dir="auto">{reason}</q></> : texts.post.takenDown}
    </p>
  );
}

function Gone() {
  return <p className="quoted quoted-gone">{texts.post.unavailable}</p>;
}

/** Pictures and videos as links, because the page loads nothing from other servers. */
export function Media({ urls }: { urls: readonly string[] }) {
  if (!urls.length) return null;
  return (
    <ul className="media" aria-label={texts.post.media}>
      {urls.map((url, i) => (
        <li key={i}>
          <a href={url} target="_blank" rel="noreferrer nofollow">
            <Icon name="picture" /> <span>{hostOf(url)}</span>
            <span className="hidden">{texts.post.opensElsewhere}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
