import type { ReactNode } from 'react';

import type { PersonRow_user$key } from '../__generated__/PersonRow_user.graphql';
import { MoreFoot, type Pages } from '../parts/MoreFoot';
import { PersonRow } from './PersonRow';

interface Props<T> {
  label: string;
  people: readonly { node: T }[];
  pages: Pages;
  empty: string;
  /** Renders the actions of a user instead of the follow button. */
  actions?: ((user: T) => ReactNode) | undefined;
}

/** Users per page. */
const PAGE = 30;

/** A list of users that loads more when its end comes near. */
export function PeopleList<T extends { id: string } & PersonRow_user$key>({ label, people, pages, empty, actions }: Props<T>) {
  return (
    <>
      <ul className="people" aria-label={label}>
        {people.map(({ node }) => node && <PersonRow key={node.id} user={node}>{actions?.(node)}</PersonRow>)}
      </ul>
      <MoreFoot pages={pages} size={PAGE} end={people.length ? '' : empty} />
    </>
  );
}
