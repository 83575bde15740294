import { useState } from 'react';
import { useLazyLoadQuery } from 'react-relay';

import type { homeQuery as HomeQuery } from '../__generated__/homeQuery.graphql';
import { place } from '../app/history';
import { Composer } from '../post/Composer';
import { bookmarkOf } from './bookmark';
import { HomeTimeline } from './HomeTimeline';
import { homeQuery } from './homeQuery';
import { PAGE } from './placement';
import { texts } from '../texts';

/** The home feed of the viewer. */
export default function HomePage({ attempt }: { attempt: number }) {
  // After a reload, the feed begins at the posts that were on the screen.
  const [here] = useState(() => place.get().key);
  // If the place cannot be loaded, the next attempt begins at the top.
  const after = attempt === 0 ? bookmarkOf(here) : null;
  const { viewer } = useLazyLoadQuery<HomeQuery>(homeQuery, { first: PAGE, after }, { fetchKey: attempt });
  return (
    <>
      <h1 className="hidden" tabIndex={-1}>{texts.navigation.home}</h1>
      <div className="home-composer"><Composer draft={{ text: '' }} /></div>
      {viewer && <HomeTimeline viewer={viewer} />}
    </>
  );
}
