import { graphql, useFragment } from 'react-relay';

import type { useRelations_user$key } from '../__generated__/useRelations_user.graphql';
import type { MenuItem } from '../parts/Menu';
import { useToasts } from '../parts/Toasts';
import { useCommit } from '../relay/commit';
import { FIELDS, toggle, type Relation } from './relation';

interface Words {
  on: string;
  off: string;
  hint: string;
  done: string;
  undone: string;
  danger?: boolean;
}

const WORDS: Record<Relation, Words> = {
  follow: { on: 'Follow', off: 'Unfollow', hint: 'Posts stand in your home feed', done: 'You follow', undone: 'You no longer follow' },
  mute: { on: 'Mute', off: 'Unmute', hint: 'Keeps posts out of your home feed; nobody is told', done: 'Muted', undone: 'No longer muted' },
  hide: { on: 'Hide from', off: 'Stop hiding from', hint: 'Shows your posts to everyone else', done: 'Your posts are hidden from', undone: 'Your posts are shown again to' },
  block: { on: 'Block', off: 'Unblock', hint: 'Neither sees the other’s posts', done: 'Blocked', undone: 'No longer blocked', danger: true },
};

/** Returns, as items of a menu, what changes how the visitor stands to somebody. */
export function useRelations(key: useRelations_user$key): (MenuItem & { relation: Relation; on: boolean })[] {
  const user = useFragment(
    graphql`
      fragment useRelations_user on User {
        handle
        ...relation_standing @relay(mask: false)
      }
    `,
    key,
  );
  const commit = useCommit();
  const toasts = useToasts();
  return (Object.keys(WORDS) as Relation[]).map((relation) => {
    const words = WORDS[relation];
    const on = user[FIELDS[relation]];
    const label = `${on ? words.off : words.on} @${user.handle}`;
    const run = async () => {
      if (await commit(toggle(relation, user), `Not done: ${label.toLowerCase()}`)) {
        toasts.show({ tone: 'good', title: `${on ? words.undone : words.done} @${user.handle}` });
      }
    };
    return {
      relation, on, label, run: () => void run(),
      ...(!on && { hint: words.hint }),
      ...(words.danger && !on && { danger: true }),
    };
  });
}
