import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { LoadMoreFn } from 'react-relay';

import type { PersonRow_user$key } from '../__generated__/PersonRow_user.graphql';
import { Foot } from '../parts/Trouble';
import { PersonRow } from './PersonRow';

interface Props<T> {
  label: string;
  people: readonly { node: T }[];
  pages: { hasNext: boolean; isLoadingNext: boolean; loadNext: LoadMoreFn<never> };
  empty: string;
  /** Renders the actions of a user instead of the follow button. */
  actions?: ((user: T) => ReactNode) | undefined;
}

/** Users per page. */
const PAGE = 30;

/** A list of users that loads more when its end comes near. */
export function PeopleList<T extends { id: string } & PersonRow_user$key>({ label, people, pages, empty, actions }: Props<T>) {
  const [failure, setFailure] = useState<Error | null>(null);
  const foot = useRef<HTMLDivElement>(null);
  const { hasNext, isLoadingNext, loadNext } = pages;
  const more = () => {
    setFailure(null);
    loadNext(PAGE, { onComplete: setFailure });
  };
  const wanted = hasNext && !isLoadingNext && !failure;
  useEffect(() => {
    if (!wanted || !foot.current) return;
    const near = new IntersectionObserver(([seen]) => seen?.isIntersecting && more(), { rootMargin: '800px' });
    near.observe(foot.current);
    return () => near.disconnect();
  });
  return (
    <>
      <ul className="people" aria-label={label}>
        {people.map(({ node }) => node && <PersonRow key={node.id} user={node}>{actions?.(node)}</PersonRow>)}
      </ul>
      <div ref={foot}>
        <Foot loading={isLoadingNext} failure={failure} hasMore={hasNext} retry={more} end={people.length ? '' : empty} />
      </div>
    </>
  );
}
