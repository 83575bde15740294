import { useState, type ReactNode } from 'react';
import type { LoadMoreFn } from 'react-relay';

import type { LiveCard_session$key } from '../__generated__/LiveCard_session.graphql';
import { Foot } from '../parts/Trouble';
import { LiveCard } from './LiveCard';
import { pageTexts } from '../texts/pages';

export type State = 'LIVE' | 'UPCOMING' | 'REPLAY';

export interface LiveEntry {
  state: State;
  node: { id: string } & LiveCard_session$key;
}

const GROUPS: readonly State[] = ['LIVE', 'UPCOMING', 'REPLAY'];

interface Props {
  edges: readonly LiveEntry[];
  pages: { hasNext: boolean; isLoadingNext: boolean; loadNext: LoadMoreFn<never> };
  empty: ReactNode;
}

/** Live sessions, grouped by state. */
export function LiveList({ edges, pages, empty }: Props) {
  const [failure, setFailure] = useState<Error | null>(null);
  const shown = edges.filter((edge) => edge.node != null);
  const more = () => {
    setFailure(null);
    pages.loadNext(20, { onComplete: setFailure });
  };
  if (!shown.length && !pages.hasNext) return empty;
  return (
    <>
      {GROUPS.map((state) => {
        const group = shown.filter((edge) => edge.state === state);
        if (!group.length) return null;
        return (
          <section key={state} className="live-group" aria-labelledby={`live-${state}`}>
            <h2 id={`live-${state}`}>{pageTexts.live.groups[state]}</h2>
            <ul className="live-list">
              {group.map(({ node }) => <LiveCard key={node.id} session={node} />)}
            </ul>
          </section>
        );
      })}
      <Foot loading={pages.isLoadingNext} failure={failure} hasMore={pages.hasNext} retry={more} end="" />
    </>
  );
}
