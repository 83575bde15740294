import { useState } from 'react';
import { graphql, useFragment } from 'react-relay';

import type { PostMenu_post$key } from '../__generated__/PostMenu_post.graphql';
import { useDesk } from '../app/context';
import { goBack } from '../app/history';
import { postHref } from '../app/routes';
import { Confirm } from '../parts/Dialog';
import { Icon } from '../parts/Icon';
import { Menu, type MenuItem } from '../parts/Menu';
import { useToasts } from '../parts/Toasts';
import { useRelations } from '../people/useRelations';
import { useCommit } from '../relay/commit';
import { remove } from './PostMutations';

/** What else can be done with a content and its author. */
export function PostMenu({ post: key, own, alone, onEdit }: { post: PostMenu_post$key; own: boolean; alone: boolean; onEdit(): void }) {
  const post = useFragment(
    graphql`
      fragment PostMenu_post on Post {
        id
        author { handle ...useRelations_user }
        replyTo { id }
        repostOf { id }
      }
    `,
    key,
  );
  const [asking, setAsking] = useState(false);
  const { signedIn } = useDesk();
  const toasts = useToasts();
  const commit = useCommit();
  const relations = useRelations(post.author);
  const copy = () => {
    const address = new URL(postHref(post.id), location.href).href;
    navigator.clipboard?.writeText(address).then(
      () => toasts.show({ tone: 'good', title: 'Link copied' }),
      () => toasts.show({ tone: 'bad', title: 'The link could not be copied', text: address }),
    );
  };
  const drop = async () => {
    const change = remove({ id: post.id, replyTo: post.replyTo?.id ?? null, repostOf: post.repostOf?.id ?? null });
    // The page of what is deleted has nothing to show.
    if (alone) goBack('/');
    if (await commit(change, 'Not deleted')) toasts.show({ tone: 'good', title: 'Deleted' });
  };
  const items: MenuItem[] = [
    ...(own
      ? [
          { label: 'Edit', run: onEdit },
          { label: 'Delete', danger: true, run: () => setAsking(true) },
        ]
      : relations.map((item) => ({ ...item, run: () => signedIn(item.run) }))),
    { label: 'Copy link', run: copy },
  ];
  return (
    <>
      <Menu label={`More on this post by @${post.author.handle}`} items={items}>
        <Icon name="more" />
      </Menu>
      {asking && (
        <Confirm
          title="Delete this post?"
          text="It leaves every feed at once, and cannot be brought back."
          yes="Delete"
          onYes={() => void drop()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
