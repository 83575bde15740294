import { Suspense, useState } from 'react';
import { useLazyLoadQuery } from 'react-relay';

import homeQuery, { type HomeTimelinePageQuery } from '../__generated__/HomeTimelinePageQuery.graphql';
import { useNews } from '../app/context';
import { listKey } from '../app/history';
import { Link } from '../app/Link';
import { ChosenFeed, FilterMenu } from '../app/pages';
import { homeHref } from '../app/routes';
import { Optional } from '../parts/Optional';
import { Empty, Loading } from '../parts/Trouble';
import { Composer } from '../post/Composer';
import { bookmarkOf } from './bookmark';
import { HomeTimeline, type Named } from './HomeTimeline';
import { PAGE } from './placement';
import { texts } from '../texts';

interface Props {
  /** Whether to show special follows alone. */
  special: boolean;
  /** The filter in the address. */
  only: string;
  attempt: number;
}

/** The home feed of the viewer, or that of special follows. */
export default function HomePage({ special, only, attempt }: Props) {
  return (
    <>
      <h1 className="hidden" tabIndex={-1}>{texts.navigation.home}</h1>
      <nav className="tabs" aria-label={texts.home.feeds}>
        <Link href={homeHref(false, only)} aria-current={special ? undefined : 'page'}>{texts.home.all}</Link>
        <Link href={homeHref(true, only)} aria-current={special ? 'page' : undefined}>{texts.home.special}</Link>
        <Optional><Suspense><FilterMenu special={special} only={only} /></Suspense></Optional>
      </nav>
      {!special && <div className="home-composer"><Composer draft={{ text: '' }} /></div>}
      <Suspense fallback={<Loading label={texts.app.loadingPage} />}>
        {special || only ? <ChosenFeed key={only} special={special} only={only} attempt={attempt} /> : (
          <HomeFeed
            marked
            attempt={attempt}
            title={texts.navigation.home}
            label={texts.home.feed}
            empty={
              <Empty icon="home" title={texts.home.empty}>
                <p>{texts.home.emptyHint}</p>
                <Link className="button button-primary" href="/search">{texts.app.findPeople}</Link>
              </Empty>
            }
          />
        )}
      </Suspense>
    </>
  );
}

/** The home feed that the news in the context are of. */
export function HomeFeed({ attempt, ...named }: Named & { attempt: number }) {
  // After a reload, the feed begins at the posts that were on the screen.
  const [here] = useState(listKey);
  // If the place cannot be loaded, the next attempt begins at the top.
  const after = attempt === 0 ? bookmarkOf(here) : null;
  const { viewer } = useLazyLoadQuery<HomeTimelinePageQuery>(homeQuery, { ...useNews()?.feed, first: PAGE, after }, { fetchKey: attempt });
  return viewer && <HomeTimeline viewer={viewer} {...named} />;
}
