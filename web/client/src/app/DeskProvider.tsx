import { Suspense, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay';

import type { DeskProviderQuery } from '../__generated__/DeskProviderQuery.graphql';
import { Dialog } from '../parts/Dialog';
import { Optional } from '../parts/Optional';
import { Composer } from '../post/Composer';
import { SignIn } from '../session/SignIn';
import { useSession } from '../session/session';
import { DeskContext, type Account, type Composing, type Desk } from './context';
import { navigate } from './history';
import { ShortcutList } from './pages';
import { focusedPost, useShortcut } from './shortcuts';
import { texts } from '../texts';

type Which = { dialog: 'compose'; draft: Composing } | { dialog: 'sign-in' } | { dialog: 'help' };

/**
 * The open dialog and its number. The browser reports that a dialog has closed a moment later,
 * when another one may be open.
 */
type Open = (Which & { turn: number }) | null;

/** Provides the dialogs and shortcuts of every page. */
export function DeskProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<Open>(null);
  const { session } = useSession();
  const account = useAccount(session.user !== null);
  const known = session.user !== null;
  const show = useCallback((which: Which) => setOpen((before) => ({ ...which, turn: (before?.turn ?? 0) + 1 })), []);
  const desk = useMemo((): Desk => {
    const signedIn = (something: () => void) => (known ? something() : show({ dialog: 'sign-in' }));
    return { signedIn, account, compose: (draft) => signedIn(() => show({ dialog: 'compose', draft })) };
  }, [known, account, show]);
  const close = () => setOpen((now) => (now?.turn === open?.turn ? null : now));
  useKeys(desk, () => show({ dialog: 'help' }));
  return (
    <DeskContext value={desk}>
      {children}
      {open?.dialog === 'compose' && (
        <Dialog key={open.turn} title={titleOf(open.draft)} onClose={close}>
          <Composer draft={open.draft} autoFocus onSent={close} />
        </Dialog>
      )}
      {open?.dialog === 'sign-in' && <Dialog key={open.turn} title={texts.signIn.needed} onClose={close}><SignIn /></Dialog>}
      {open?.dialog === 'help' && <Dialog key={open.turn} title={texts.shortcuts} onClose={close}><Optional><Suspense><ShortcutList /></Suspense></Optional></Dialog>}
    </DeskContext>
  );
}

function titleOf(draft: Composing): string {
  const { titles } = texts.composer;
  if (draft.replyTo) return titles.reply;
  return draft.repostOf ? titles.quote : titles.post;
}

function useKeys(desk: Desk, help: () => void): void {
  const press = (action: string) => focusedPost()?.querySelector<HTMLElement>(`[data-action=${action}]`)?.click();
  useShortcut('n', () => desk.compose({ text: '' }));
  useShortcut('r', () => press('reply'));
  useShortcut('l', () => press('like'));
  useShortcut('f', () => press('favorite'));
  useShortcut('/', () => navigate('/search'));
  useShortcut('h', () => navigate('/'));
  useShortcut('?', help);
}

// Loads the account of the visitor, so that their new posts show at once and moderators see their actions.
function useAccount(known: boolean): Account | null {
  const environment = useRelayEnvironment();
  const [account, setAccount] = useState<Account | null>(null);
  useEffect(() => {
    if (!known) return;
    const reading = fetchQuery<DeskProviderQuery>(
      environment,
      graphql`
        query DeskProviderQuery {
          viewer { roles user { id databaseId handle name isPrivate } }
        }
      `,
      {},
    );
    // Without it, a new post shows a moment later.
    const { unsubscribe } = reading.subscribe({
      next: (answer) => {
        const viewer = answer?.viewer;
        setAccount(viewer ? { ...viewer.user, moderates: viewer.roles.includes('MODERATOR') } : null);
      },
      error: () => undefined,
    });
    return unsubscribe;
  }, [environment, known]);
  return account;
}
