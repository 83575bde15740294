import { navigate } from '../app/history';
import { homeHref } from '../app/routes';
import { Icon } from '../parts/Icon';
import { Menu } from '../parts/Menu';
import { toggled, WORDS, wordsOf } from './filter';
import { pageTexts } from '../texts/pages';

/** The menu that chooses kinds of posts. The filter is in the address. */
export default function FilterMenu({ special, only }: { special: boolean; only: string }) {
  const words = wordsOf(only);
  const { feeds } = pageTexts;
  return (
    <Menu
      className={only ? 'icon-button filter-on' : 'icon-button'}
      label={feeds.filter(only ? WORDS.filter((word) => words.has(word)).map((word) => feeds.only[word]) : [])}
      items={WORDS.map((word) => ({
        label: feeds.only[word],
        checked: words.has(word),
        run: () => navigate(homeHref(special, toggled(only, word)), true),
      }))}
    >
      <Icon name="settings" filled={only !== ''} />
    </Menu>
  );
}
