import { useRef, useState } from 'react';
import { graphql, useFragment } from 'react-relay';

import type { FollowerActions_user$key } from '../__generated__/FollowerActions_user.graphql';
import { Confirm } from '../parts/Dialog';
import { Icon } from '../parts/Icon';
import { FollowButton } from './FollowButton';
import { focusNeighbour, useFollowerAction } from './useFollowerAction';
import { pageTexts } from '../texts/pages';

const texts = pageTexts.people;

/** Buttons to follow a follower back and to remove them. */
export function FollowerActions({ user: key }: { user: FollowerActions_user$key }) {
  const user = useFragment(
    graphql`
      fragment FollowerActions_user on User {
        id
        handle
        ...FollowButton_user
      }
    `,
    key,
  );
  const [asking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const act = useFollowerAction();
  const remove = () => {
    if (button.current) focusNeighbour(button.current);
    void act('remove', user.id, texts.removed(user.handle), texts.removeFailed);
  };
  const label = texts.remove(user.handle);
  return (
    <div className="profile-actions">
      <FollowButton user={user} small />
      <button ref={button} type="button" className="icon-button" aria-label={label} title={label} onClick={() => setAsking(true)}>
        <Icon name="close" />
      </button>
      {asking && (
        <Confirm
          title={texts.removeTitle(user.handle)}
          text={texts.removeText}
          yes={texts.removeButton}
          onYes={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
