import { flushSync } from 'react-dom';
import { commitLocalUpdate, useRelayEnvironment } from 'react-relay';

import { goBack } from '../app/history';
import { useToasts } from '../parts/Toasts';
import { drop, type Gone } from '../post/PostMutations';
import { commit } from '../relay/commit';
import { ReasonForm } from './ReasonForm';
import { takeDown } from './sanctions';
import { moderationTexts } from '../texts/moderation';

interface Props {
  post: Gone;
  /** Whether the post is on its own page. */
  alone: boolean;
  /** Closes the dialog. */
  onClose(): void;
}

/** Takes a post down, and removes it from the page. */
export function TakeDownForm({ post, alone, onClose }: Props) {
  const environment = useRelayEnvironment();
  const toasts = useToasts();
  const send = async (reason: string) => {
    await commit(environment, takeDown(post.id, reason));
    // Closing returns the focus to the menu of the post, which is removed next.
    flushSync(onClose);
    if (alone) goBack('/');
    else focusNeighbour(post.id);
    commitLocalUpdate(environment, (store) => drop(store, post));
    toasts.show({ tone: 'good', title: moderationTexts.takeDown.done });
  };
  return <ReasonForm hint={moderationTexts.takeDown.hint} button={moderationTexts.takeDown.button} send={send} />;
}

// Moves the focus to the next or previous post of the list, or to the title of the page.
function focusNeighbour(id: string): void {
  const item = document.querySelector(`[data-post="${CSS.escape(id)}"]`)?.closest('.window-item');
  const next = item?.nextElementSibling ?? item?.previousElementSibling;
  (next?.querySelector<HTMLElement>('article') ?? document.querySelector<HTMLElement>('main h1'))?.focus();
}
