import { useEffect, useState } from 'react';
import { graphql, useFragment, useRelayEnvironment } from 'react-relay';

import type { UserSanction_user$key } from '../__generated__/UserSanction_user.graphql';
import { Dialog } from '../parts/Dialog';
import type { MenuItem } from '../parts/Menu';
import { useToasts } from '../parts/Toasts';
import { commit } from '../relay/commit';
import { ReasonForm } from './ReasonForm';
import { suspend, useSuspension } from './sanctions';
import { useRestoreUser } from './useRestoreUser';
import { moderationTexts } from '../texts/moderation';

const { restore, suspend: texts } = moderationTexts;

interface Props {
  user: UserSanction_user$key;
  /** Gets what moderators can do, for the menu of the profile. */
  onItems(items: readonly MenuItem[]): void;
}

/** Tells moderators whether a user is suspended, and changes that. */
export function UserSanction({ user: key, onItems }: Props) {
  const { id, handle } = useFragment(
    graphql`
      fragment UserSanction_user on User {
        id
        handle
      }
    `,
    key,
  );
  const [asking, setAsking] = useState(false);
  const environment = useRelayEnvironment();
  const toasts = useToasts();
  const suspension = useSuspension(id);
  const isSuspended = suspension !== null;
  const restoreUser = useRestoreUser(id, `@${handle}`);
  const send = async (reason: string, days: number) => {
    await commit(environment, suspend(id, reason, days));
    setAsking(false);
    toasts.show({ tone: 'good', title: texts.done(handle) });
  };
  useEffect(() => {
    onItems([
      { label: texts.item(handle), danger: true, run: () => setAsking(true) },
      ...(isSuspended ? [{ label: restore.user(`@${handle}`), run: restoreUser }] : []),
    ]);
  }, [onItems, handle, isSuspended, restoreUser]);
  return (
    <>
      {suspension && (
        <p className="note note-bad">
          {texts.note(suspension.until ?? null)} <q dir="auto">{suspension.reason}</q>{' '}
          <button type="button" className="text-button" onClick={restoreUser}>{restore.user(`@${handle}`)}</button>
        </p>
      )}
      {asking && (
        <Dialog title={texts.title(handle)} onClose={() => setAsking(false)}>
          <ReasonForm ends hint={texts.hint} button={texts.button} send={send} />
        </Dialog>
      )}
    </>
  );
}
