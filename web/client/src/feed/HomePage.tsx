import { useState } from 'react';
import { useLazyLoadQuery } from 'react-relay';

import type { homeQuery as HomeQuery } from '../__generated__/homeQuery.graphql';
import { place } from '../app/history';
import { Composer } from '../post/Composer';
import { bookmarkOf } from './bookmark';
import { HomeTimeline } from './HomeTimeline';
import { homeQuery } from './homeQuery';
import { PAGE } from './PostFeed';

/** The home feed of whoever is signed in. */
export default function HomePage({ attempt }: { attempt: number }) {
  // Loading the page again shows what was on the screen; more is above and below it.
  const [here] = useState(() => place.get().key);
  // A place that cannot be read any more is not come back to: the next attempt is at the top.
  const after = attempt === 0 ? bookmarkOf(here) : null;
  const { viewer } = useLazyLoadQuery<HomeQuery>(homeQuery, { first: PAGE, after }, { fetchKey: attempt });
  return (
    <>
      <h1 className="hidden" tabIndex={-1}>Home</h1>
      <div className="home-composer"><Composer draft={{ text: '' }} /></div>
      {viewer && <HomeTimeline viewer={viewer} />}
    </>
  );
}
