import { useConnection } from './context';
import { useNow } from '../parts/Clock';
import { Icon } from '../parts/Icon';
import { useStore } from '../parts/store';
import { texts } from '../texts';

/** Says that the server is unreachable, or that it limits the visitor. */
export function StatusBar() {
  const { reachable, limitedUntil } = useStore(useConnection().status);
  return (
    <div className="status-place" role="status">
      {!reachable && (
        <p className="status-bar">
          <Icon name="offline" /> {navigator.onLine ? texts.status.unreachable : texts.status.offline} {texts.status.stale}
        </p>
      )}
      {reachable && limitedUntil > 0 && <Limited until={limitedUntil} />}
    </div>
  );
}

function Limited({ until }: { until: number }) {
  const left = Math.ceil((until - useNow('second')) / 1_000) * 1_000;
  if (left <= 0) return null;
  return <p className="status-bar"><Icon name="clock" /> {texts.status.limited(left)}</p>;
}
