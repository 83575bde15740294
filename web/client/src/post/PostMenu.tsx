import { Suspense, useState } from 'react';
import { graphql, useFragment } from 'react-relay';

import type { PostMenu_post$key } from '../__generated__/PostMenu_post.graphql';
import { useDesk } from '../app/context';
import { goBack } from '../app/history';
import { forgetFailures, TakeDownForm } from '../app/pages';
import { postHref } from '../app/routes';
import { Confirm, Dialog } from '../parts/Dialog';
import { Icon } from '../parts/Icon';
import { Menu, type MenuItem } from '../parts/Menu';
import { useToasts } from '../parts/Toasts';
import { Boundary, Loading } from '../parts/Trouble';
import { useRelations } from '../people/useRelations';
import { useCommit } from '../relay/commit';
import { remove } from './PostMutations';
import { texts } from '../texts';

/** The menu of a post and its author. */
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
  const [takingDown, setTakingDown] = useState(false);
  const { signedIn, account } = useDesk();
  const toasts = useToasts();
  const commit = useCommit();
  const relations = useRelations(post.author);
  const copy = () => {
    const address = new URL(postHref(post.id), location.href).href;
    navigator.clipboard?.writeText(address).then(
      () => toasts.show({ tone: 'good', title: texts.postMenu.copied }),
      () => toasts.show({ tone: 'bad', title: texts.postMenu.copyFailed, text: address }),
    );
  };
  const gone = { id: post.id, replyTo: post.replyTo?.id ?? null, repostOf: post.repostOf?.id ?? null };
  const drop = async () => {
    // The page of a deleted post has nothing to show.
    if (alone) goBack('/');
    if (await commit(remove(gone), texts.postMenu.removeFailed)) toasts.show({ tone: 'good', title: texts.postMenu.removed });
  };
  const items: MenuItem[] = [
    ...(own
      ? [
          { label: texts.postMenu.edit, run: onEdit },
          { label: texts.postMenu.remove, danger: true, run: () => setAsking(true) },
        ]
      : relations.map((item) => ({ ...item, run: () => signedIn(item.run) }))),
    { label: texts.postMenu.copyLink, run: copy },
    ...(account?.moderates && !own ? [{ label: texts.postMenu.takeDown, danger: true, run: () => setTakingDown(true) }] : []),
  ];
  return (
    <>
      <Menu label={texts.postMenu.label(post.author.handle)} items={items}>
        <Icon name="more" />
      </Menu>
      {asking && (
        <Confirm
          title={texts.postMenu.removeTitle}
          text={texts.postMenu.removeText}
          yes={texts.postMenu.remove}
          onYes={() => void drop()}
          onClose={() => setAsking(false)}
        />
      )}
      {takingDown && (
        <Dialog title={texts.postMenu.takeDownTitle} onClose={() => setTakingDown(false)}>
          <Boundary onRetry={forgetFailures}>
            {() => (
              <Suspense fallback={<Loading label={texts.app.loadingPage} rows={1} />}>
                <TakeDownForm post={gone} alone={alone} onClose={() => setTakingDown(false)} />
              </Suspense>
            )}
          </Boundary>
        </Dialog>
      )}
    </>
  );
}
