// Short messages at the bottom of the screen.
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';

import { useConnection } from '../app/context';
import { Icon } from './Icon';
import { useStore } from './store';
import { texts } from '../texts';

export interface Toast {
  tone: 'good' | 'bad';
  title: string;
  text?: string;
  /** The id of the failed request in the server log. */
  requestId?: string | null;
  /** Whether the text only says that the server is unreachable. It disappears on reconnect, and a message without action disappears entirely. */
  away?: boolean;
  action?: { label: string; run(): void };
}

interface Toaster {
  show(toast: Toast): void;
}

/** How long a success message stays, in ms. Errors stay until dismissed. */
const SUCCESS_STAYS = 4_000;
/** More messages would hide the page. */
const MOST = 3;

const Context = createContext<Toaster>({ show: () => undefined });

/** Returns the toaster. */
export const useToasts = (): Toaster => use(Context);

// Returns the rest of a message after a reconnect.
function stillTrue<T extends Toast>(toast: T): T {
  if (!toast.away) return toast;
  const { text: _, away: __, ...rest } = toast;
  return rest as T;
}

/** Lets its children show messages. */
export function Toasts({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<readonly (Toast & { key: number })[]>([]);
  const [put, toaster] = useMemo(() => {
    let key = 0;
    const put = (gone: number) => setShown((all) => all.filter((toast) => toast.key !== gone));
    const show = (toast: Toast) => {
      const made = { ...toast, key: ++key };
      setShown((all) => [...all.filter((other) => other.title !== toast.title), made].slice(-MOST));
      if (toast.tone === 'good') setTimeout(() => put(made.key), SUCCESS_STAYS);
    };
    return [put, { show }] as const;
  }, []);
  const { reachable } = useStore(useConnection().status);
  useEffect(() => {
    if (reachable) setShown((all) => all.filter((toast) => !toast.away || toast.action).map(stillTrue));
  }, [reachable]);
  return (
    <Context value={toaster}>
      {children}
      <section className="toasts" aria-label={texts.messages.region} aria-live="polite">
        {shown.map((toast) => (
          <div key={toast.key} className={`toast toast-${toast.tone}`} role={toast.tone === 'bad' ? 'alert' : 'status'}>
            <div className="toast-text">
              <strong>{toast.title}</strong>
              {toast.text && <span>{toast.text}</span>}
              {toast.requestId && <small>{texts.messages.request(toast.requestId)}</small>}
            </div>
            {toast.action && (
              <button
                type="button"
                className="button button-small"
                onClick={() => {
                  put(toast.key);
                  toast.action?.run();
                }}
              >
                {toast.action.label}
              </button>
            )}
            <button type="button" className="icon-button" aria-label={texts.messages.dismiss} onClick={() => put(toast.key)}>
              <Icon name="close" />
            </button>
          </div>
        ))}
      </section>
    </Context>
  );
}
