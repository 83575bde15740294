// Changes that concern the first sessions of the live feed.
import { bySortKey } from '../relay/order';

interface Placed {
  sortKey: string;
}

interface Listed extends Placed {
  node: { id: string };
}

interface Change {
  kind: string;
  liveSessionId?: string | null | undefined;
  edge?: Placed | null | undefined;
}

/** Reports whether changes may concern the first sessions of the live feed, of which some are listed. */
export function changesFirst(listed: readonly Listed[], size: number, changes: readonly Change[]): boolean {
  const last = listed.length < size ? undefined : listed.at(-1);
  return changes.some(({ kind, liveSessionId, edge }) =>
    kind === 'RESET' || listed.some(({ node }) => node.id === liveSessionId) || (edge != null && (!last || bySortKey(edge, last) < 0)));
}
