import { useEffect, useState } from 'react';
import { useRelayEnvironment } from 'react-relay';

import { NewsContext, useSocket } from '../app/context';
import { Link } from '../app/Link';
import { Empty } from '../parts/Trouble';
import { HomeFeed } from './HomePage';
import { News } from './news';
import { texts } from '../texts';
import { pageTexts } from '../texts/pages';

/** The feed of special follows, with news of its own while it is on the screen. */
export default function SpecialFeed({ attempt }: { attempt: number }) {
  const environment = useRelayEnvironment();
  const socket = useSocket();
  const [news] = useState(() => new News(environment, socket, { special: true }));
  useEffect(() => news.start(), [news]);
  return (
    <NewsContext value={news}>
      <HomeFeed
        attempt={attempt}
        title={texts.home.special}
        label={pageTexts.special.feed}
        empty={
          <Empty icon="favorite" title={pageTexts.special.empty}>
            <p>{pageTexts.special.emptyHint}</p>
            <Link className="button button-primary" href="/search">{texts.app.findPeople}</Link>
          </Empty>
        }
      />
    </NewsContext>
  );
}
