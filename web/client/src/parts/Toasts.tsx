// Short messages at the foot of the screen.
import { createContext, use, useMemo, useState, type ReactNode } from 'react';

import { Icon } from './Icon';

export interface Toast {
  tone: 'good' | 'bad';
  title: string;
  text?: string;
  /** What the server's log has the failed request under. */
  requestId?: string | null;
  action?: { label: string; run(): void };
}

interface Toaster {
  show(toast: Toast): void;
}

/** How long good news stands, in ms. Bad news stands until it is put away. */
const STANDS = 4_000;
/** More than that would hide the page. */
const MOST = 3;

const Context = createContext<Toaster>({ show: () => undefined });

/** Returns what shows messages. */
export const useToasts = (): Toaster => use(Context);

/** Lets everything below it show messages. */
export function Toasts({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<readonly (Toast & { key: number })[]>([]);
  const [put, toaster] = useMemo(() => {
    let key = 0;
    const put = (gone: number) => setShown((all) => all.filter((toast) => toast.key !== gone));
    const show = (toast: Toast) => {
      const made = { ...toast, key: ++key };
      setShown((all) => [...all.filter((other) => other.title !== toast.title), made].slice(-MOST));
      if (toast.tone === 'good') setTimeout(() => put(made.key), STANDS);
    };
    return [put, { show }] as const;
  }, []);
  return (
    <Context value={toaster}>
      {children}
      <section className="toasts" aria-label="Messages" aria-live="polite">
        {shown.map((toast) => (
          <div key={toast.key} className={`toast toast-${toast.tone}`} role={toast.tone === 'bad' ? 'alert' : 'status'}>
            <div className="toast-text">
              <strong>{toast.title}</strong>
              {toast.text && <span>{toast.text}</span>}
              {toast.requestId && <small>Request {toast.requestId}</small>}
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
            <button type="button" className="icon-button" aria-label="Put this message away" onClick={() => put(toast.key)}>
              <Icon name="close" />
            </button>
          </div>
        ))}
      </section>
    </Context>
  );
}
