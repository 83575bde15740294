import { graphql, useFragment } from 'react-relay';

import type { useRelations_user$key } from '../__generated__/useRelations_user.graphql';
import type { MenuItem } from '../parts/Menu';
import { useToasts } from '../parts/Toasts';
import { useCommit } from '../relay/commit';
import { isOn, toggle, type Relation } from './relation';
import { texts } from '../texts';

// The items of a menu. A mute may end by itself after some days.
const ITEMS: readonly [Relation, days?: number][] = [['follow'], ['mute'], ['mute', 1], ['mute', 7], ['hide'], ['block']];

/** Returns menu items that change the viewer's relations to a user. */
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
  const { handle } = user;
  return ITEMS.filter(([relation, days]) => !days || !isOn(relation, user)).map(([relation, days]) => {
    const isRequest = relation === 'follow' && user.isPrivate && !user.viewerFollows;
    const words = texts.relations[isRequest ? 'request' : relation];
    const on = isOn(relation, user);
    const label = on ? words.off(handle) : words.on(handle, days);
    const run = async () => {
      if (await commit(toggle(relation, user, days), texts.relations.failed(label))) {
        toasts.show({ tone: 'good', title: on ? words.undone(handle) : words.done(handle) });
      }
    };
    return {
      relation, on, label, run: () => void run(),
      ...(!on && !days && { hint: words.hint }),
      ...(relation === 'block' && !on && { danger: true }),
    };
  });
}
