import { graphql, useFragment } from 'react-relay';

import type { RelationMenu_user$key } from '../__generated__/RelationMenu_user.graphql';
import { useDesk } from '../app/context';
import { Icon } from '../parts/Icon';
import { Menu, type MenuItem } from '../parts/Menu';
import { useRelations } from './useRelations';
import { texts } from '../texts';

interface Props {
  user: RelationMenu_user$key;
  /** Items above and below the relations. */
  options: readonly MenuItem[];
  more: readonly MenuItem[];
}

/** The menu to mute, hide from or block a user, and more. */
export function RelationMenu({ user: key, options, more }: Props) {
  const user = useFragment(
    graphql`
      fragment RelationMenu_user on User {
        handle
        ...useRelations_user
      }
    `,
    key,
  );
  const { signedIn } = useDesk();
  const items = useRelations(user).filter((item) => item.relation !== 'follow');
  return (
    <Menu
      label={texts.relations.menu(user.handle)}
      className="icon-button icon-button-ring"
      items={[...options, ...items.map((item) => ({ ...item, run: () => signedIn(item.run) })), ...more]}
    >
      <Icon name="more" />
    </Menu>
  );
}
