import { useCallback } from 'react';

import { useSession } from '../session/session';
import { useToasts } from '../parts/Toasts';
import { useCommit } from '../relay/commit';
import { restoreUser } from './sanctions';
import { moderationTexts } from '../texts/moderation';

const texts = moderationTexts.restore;

/**
 * Returns a function that ends the suspension of a user and shows the result.
 *
 * @param entry the record id of the suspension if it is in the log on the screen
 */
export function useRestoreUser(id: string, who: string, entry: string | null = null): () => void {
  const { session } = useSession();
  const commit = useCommit();
  const toasts = useToasts();
  const by = session.user?.id ?? '';
  return useCallback(() => {
    const run = async () => {
      if (await commit(restoreUser(id, entry, by), texts.userFailed)) toasts.show({ tone: 'good', title: texts.userDone(who) });
    };
    void run();
  }, [id, who, entry, by, commit, toasts]);
}
