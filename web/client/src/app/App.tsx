import { useCallback, useEffect, useMemo, useState } from 'react';
import { RelayEnvironmentProvider } from 'react-relay';

import { News } from '../feed/news';
import { Toasts } from '../parts/Toasts';
import { Loading, Trouble } from '../parts/Trouble';
import { createEnvironment } from '../relay/environment';
import { Socket } from '../relay/socket';
import type { Connection } from '../relay/status';
import { openSession, SessionContext, type Session } from '../session/session';
import { ConnectionContext, NewsContext, SocketContext } from './context';
import { DeskProvider } from './DeskProvider';
import { Shell } from './Shell';
import { texts } from '../texts';

/** The whole client. */
export function App({ connection }: { connection: Connection }) {
  const [session, setSession] = useState<Session | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [expired, setExpired] = useState(false);
  const ask = useCallback((known: boolean) => {
    openSession().then(
      (answer) => {
        setError(null);
        setSession(answer);
        setExpired(known && !answer.user);
      },
      (failed: unknown) => setError(failed),
    );
  }, []);
  const begin = useCallback(() => ask(false), [ask]);
  useEffect(begin, [begin]);
  const signing = useMemo(() => session && {
    session,
    expired,
    change: (made: Session) => {
      setExpired(false);
      setSession(made);
    },
  }, [session, expired]);
  return (
    <ConnectionContext value={connection}>
      <Toasts>
        {error !== null && !signing && <main className="lone"><Trouble error={error} retry={begin} /></main>}
        {error === null && !signing && <main className="lone"><Loading label={texts.app.loading} /></main>}
        {signing && (
          <SessionContext value={signing}>
            {/* Another user is another page: nothing that one has seen is kept for the next. */}
            <Signed key={signing.session.user?.id ?? ''} connection={connection} user={signing.session.user?.id ?? null} signedOut={() => ask(signing.session.user !== null)} />
          </SessionContext>
        )}
      </Toasts>
    </ConnectionContext>
  );
}

function Signed({ connection, user, signedOut }: { connection: Connection; user: string | null; signedOut(): void }) {
  const [{ environment, news, socket }] = useState(() => {
    const socket = new Socket('/graphql');
    const environment = createEnvironment(connection, socket, { known: user !== null, signedOut });
    return { environment, socket, news: user === null ? null : new News(environment, socket) };
  });
  useEffect(() => {
    const stop = news?.start();
    return () => {
      stop?.();
      socket.close();
    };
  }, [news, socket]);
  return (
    <RelayEnvironmentProvider environment={environment}>
      <SocketContext value={socket}>
        <NewsContext value={news}>
          <DeskProvider>
            <Shell />
          </DeskProvider>
        </NewsContext>
      </SocketContext>
    </RelayEnvironmentProvider>
  );
}
