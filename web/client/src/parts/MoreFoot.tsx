import { useEffect, useRef, useState } from 'react';
import type { LoadMoreFn } from 'react-relay';

import { Foot } from './Trouble';

/** The part of usePaginationFragment that loads more. */
export interface Pages {
  hasNext: boolean;
  isLoadingNext: boolean;
  loadNext: LoadMoreFn<never>;
}

/** The end of a list. It loads more when it comes near the screen. */
export function MoreFoot({ pages, size, end }: { pages: Pages; size: number; end: string }) {
  const [failure, setFailure] = useState<Error | null>(null);
  const foot = useRef<HTMLDivElement>(null);
  const { hasNext, isLoadingNext, loadNext } = pages;
  const more = () => {
    setFailure(null);
    loadNext(size, { onComplete: setFailure });
  };
  const wanted = hasNext && !isLoadingNext && !failure;
  useEffect(() => {
    if (!wanted || !foot.current) return;
    const near = new IntersectionObserver(([seen]) => seen?.isIntersecting && more(), { rootMargin: '800px' });
    near.observe(foot.current);
    return () => near.disconnect();
  });
  return (
    <div ref={foot}>
      <Foot loading={isLoadingNext} failure={failure} hasMore={hasNext} retry={more} end={end} />
    </div>
  );
}
