import { useEffect, useState } from 'react';
import { useRelayEnvironment } from 'react-relay';

import { NewsContext, useSocket } from '../app/context';
import { Link } from '../app/Link';
import { Empty } from '../parts/Trouble';
import { feedOf } from './filter';
import { HomeFeed } from './HomePage';
import { News } from './news';
import { texts } from '../texts';
import { pageTexts } from '../texts/pages';

/** The feed of special follows, or a feed with a filter, with news of its own while it is on the screen. */
export default function ChosenFeed({ special, only, attempt }: { special: boolean; only: string; attempt: number }) {
  const environment = useRelayEnvironment();
  const socket = useSocket();
  const [news] = useState(() => new News(environment, socket, feedOf(special, only)));
  useEffect(() => news.start(), [news]);
  const { feeds } = pageTexts;
  return (
    <NewsContext value={news}>
      <HomeFeed
        attempt={attempt}
        title={special ? texts.home.special : texts.navigation.home}
        label={special ? feeds.feed : texts.home.feed}
        empty={
          only ? <Empty icon="settings" title={feeds.noMatch} /> : (
            <Empty icon="favorite" title={feeds.empty}>
              <p>{feeds.emptyHint}</p>
              <Link className="button button-primary" href="/search">{texts.app.findPeople}</Link>
            </Empty>
          )
        }
      />
    </NewsContext>
  );
}
