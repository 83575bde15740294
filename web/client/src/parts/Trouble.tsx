// Empty, loading and failed states of pages and lists.
import { Component, useEffect, useRef, type ReactNode } from 'react';

import { useConnection } from '../app/context';
import { explain, Failure } from '../relay/failure';
import { useNow } from './Clock';
import { Icon, type IconName } from './Icon';
import { useStore } from './store';
import { texts } from '../texts';

/** An empty state. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="notice">
      <span className="notice-icon"><Icon name={icon} /></span>
      <h2>{title}</h2>
      {children && <div className="notice-text">{children}</div>}
    </div>
  );
}

/** Placeholders for content that is loading. */
export function Loading({ label, rows = 5 }: { label: string; rows?: number }) {
  return (
    <div className="loading" role="status">
      <span className="hidden">{label}</span>
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} className="ghost" aria-hidden="true">
          <span className="ghost-face" />
          <span className="ghost-lines"><i /><i /><i /></span>
        </div>
      ))}
    </div>
  );
}

/**
 * Shows a failure and retries: automatically when the rate limit ends or the server is back,
 * and by a button.
 */
export function Trouble({ error, retry, small = false }: { error: unknown; retry(): void; small?: boolean }) {
  const { title, help, requestId, again } = explain(error);
  const code = error instanceof Failure ? error.code : '';
  return (
    <div className={small ? 'notice notice-small' : 'notice'} role="alert">
      {!small && <span className="notice-icon"><Icon name={code === 'UNREACHABLE' ? 'offline' : 'refresh'} /></span>}
      <h2>{title}</h2>
      <div className="notice-text">
        {code === 'RATE_LIMITED' ? <Countdown retry={retry} /> : <p>{help}</p>}
        {requestId && <small>{texts.messages.request(requestId)}</small>}
      </div>
      {code === 'UNREACHABLE' && <WhenBack retry={retry} />}
      {again && code !== 'RATE_LIMITED' && <button type="button" className="button" onClick={retry}>{texts.messages.tryAgain}</button>}
    </div>
  );
}

function Countdown({ retry }: { retry(): void }) {
  const { limitedUntil } = useStore(useConnection().status);
  const left = Math.ceil((limitedUntil - useNow('second')) / 1_000) * 1_000;
  const over = left <= 0;
  const latest = useLatest(retry);
  useEffect(() => {
    if (over) latest.current();
  }, [over, latest]);
  return <p>{over ? texts.failures.retrying : texts.failures.retryingIn(left)}</p>;
}

function WhenBack({ retry }: { retry(): void }) {
  const { reachable } = useStore(useConnection().status);
  const wasAway = useRef(false);
  const latest = useLatest(retry);
  useEffect(() => {
    if (!reachable) wasAway.current = true;
    else if (wasAway.current) latest.current();
  }, [reachable, latest]);
  return null;
}

function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}

interface BoundaryProps {
  /** Renders the page; attempt rises with each retry. */
  children: (attempt: number) => ReactNode;
  /** Called before each retry. */
  onRetry?: () => void;
}

/** Shows a page, or its failure. */
export class Boundary extends Component<BoundaryProps, { error: unknown; attempt: number }> {
  override state = { error: null as unknown, attempt: 0 };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error, attempt } = this.state;
    if (error === null) return this.props.children(attempt);
    const retry = () => {
      this.props.onRetry?.();
      this.setState({ error: null, attempt: attempt + 1 });
    };
    return <Trouble error={error} retry={retry} />;
  }
}

/** The end of a list: loads more, shows a failure, or says that there is no more. */
export function Foot({ loading, failure, hasMore, retry, end }: { loading: boolean; failure: Error | null; hasMore: boolean; retry(): void; end: string }) {
  if (failure) return <Trouble error={failure} retry={retry} small />;
  if (loading) return <Loading label={texts.lists.loadingMore} rows={2} />;
  // Scrolling loads more; the button is for other ways of navigation.
  if (hasMore) return <p className="list-end"><button type="button" className="button" onClick={retry}>{texts.lists.showMore}</button></p>;
  return <p className="list-end">{end}</p>;
}
