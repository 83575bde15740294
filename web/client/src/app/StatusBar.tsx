import { useConnection } from './context';
import { useNow } from '../parts/Clock';
import { Icon } from '../parts/Icon';
import { useStore } from '../parts/store';

/** Says when the server cannot be reached, or wants a pause. */
export function StatusBar() {
  const { reachable, limitedUntil } = useStore(useConnection().status);
  return (
    <div className="status-place" role="status">
      {!reachable && (
        <p className="status-bar">
          <Icon name="offline" /> {navigator.onLine ? 'The server does not answer.' : 'You are offline.'} What you see may be old.
        </p>
      )}
      {reachable && limitedUntil > 0 && <Limited until={limitedUntil} />}
    </div>
  );
}

function Limited({ until }: { until: number }) {
  const left = Math.ceil((until - useNow('second')) / 1_000);
  if (left <= 0) return null;
  return <p className="status-bar"><Icon name="clock" /> The server asks for a pause of {left} s.</p>;
}
