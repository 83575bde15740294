import { graphql, useFragment, useLazyLoadQuery } from 'react-relay';

import type { KeptAwayQuery } from '../__generated__/KeptAwayQuery.graphql';
import type { KeptAway_user$key } from '../__generated__/KeptAway_user.graphql';
import { PersonRow } from '../people/PersonRow';
import { useRelations } from '../people/useRelations';
import type { Relation } from '../people/relation';
import { pageTexts } from '../texts/pages';

const { settings } = pageTexts;
const UNDO = { mute: settings.unmute, hide: settings.stopHiding, block: settings.unblock };
const TITLES = { mute: settings.muted, hide: settings.hiddenFrom, block: settings.blocked };
type Kept = keyof typeof UNDO;

/** The users that the viewer mutes, hides from and blocks, with buttons to end it. */
export function KeptAway({ attempt }: { attempt: number }) {
  const { viewer } = useLazyLoadQuery<KeptAwayQuery>(
    graphql`
      query KeptAwayQuery {
        viewer {
          mutedUsers(first: 100) { nodes { id viewerMutes ...PersonRow_user ...KeptAway_user } }
          hiddenFromUsers(first: 100) { nodes { id viewerHidesFrom ...PersonRow_user ...KeptAway_user } }
          blockedUsers(first: 100) { nodes { id viewerBlocks ...PersonRow_user ...KeptAway_user } }
        }
      }
    `,
    {},
    { fetchKey: attempt, fetchPolicy: 'store-and-network' },
  );
  if (!viewer) return null;
  const lists: [Kept, readonly ({ id: string } & Parameters<typeof PersonRow>[0]['user'] & KeptAway_user$key)[]][] = [
    ['mute', viewer.mutedUsers.nodes.filter((user) => user.viewerMutes)],
    ['hide', viewer.hiddenFromUsers.nodes.filter((user) => user.viewerHidesFrom)],
    ['block', viewer.blockedUsers.nodes.filter((user) => user.viewerBlocks)],
  ];
  return (
    <section className="card" aria-labelledby="away-title">
      <h2 id="away-title">{settings.mutedAndBlocked}</h2>
      {lists.every(([, people]) => !people.length) && <p className="hint">{settings.mutedAndBlockedNone}</p>}
      {lists.map(([relation, people]) => people.length > 0 && (
        <div key={relation}>
          <h3>{TITLES[relation]}</h3>
          <ul className="people" aria-label={TITLES[relation]}>
            {people.map((user) => <PersonRow key={user.id} user={user}><Undo relation={relation} user={user} /></PersonRow>)}
          </ul>
        </div>
      ))}
    </section>
  );
}

function Undo({ relation, user: key }: { relation: Relation & Kept; user: KeptAway_user$key }) {
  const user = useFragment(
    graphql`
      fragment KeptAway_user on User {
        ...useRelations_user
      }
    `,
    key,
  );
  const item = useRelations(user).find((one) => one.relation === relation);
  return <button type="button" className="button button-small" aria-label={item?.label} onClick={item?.run}>{UNDO[relation]}</button>;
}
