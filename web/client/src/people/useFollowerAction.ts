import { useDesk } from '../app/context';
import { useToasts } from '../parts/Toasts';
import { useCommit } from '../relay/commit';
import { changeFollower, type FollowerAction } from './followers';

/** Returns a function that accepts or rejects a request or removes a follower, and shows the result. */
export function useFollowerAction() {
  const { account } = useDesk();
  const commit = useCommit();
  const toasts = useToasts();
  return async (action: FollowerAction, userId: string, done: string, failed: string) => {
    if (await commit(changeFollower(action, userId, account?.id ?? null), failed)) toasts.show({ tone: 'good', title: done });
  };
}

/**
 * Moves the focus to the next or previous row of the list, or to the title of the page. Call it
 * before the row of control is removed: otherwise the focus returns to the top of the page.
 */
export function focusNeighbour(control: Element): void {
  const row = control.closest('li');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  (next?.querySelector<HTMLElement>('button') ?? document.querySelector<HTMLElement>('main h1'))?.focus();
}
