import { graphql, useFragment } from 'react-relay';

import type { useFollowOptions_user$key } from '../__generated__/useFollowOptions_user.graphql';
import type { useFollowOptionsMutation } from '../__generated__/useFollowOptionsMutation.graphql';
import type { MenuItem } from '../parts/Menu';
import { useToasts } from '../parts/Toasts';
import { useCommit } from '../relay/commit';
import { refreshHome } from './relation';
import { pageTexts } from '../texts/pages';

const OPTIONS = ['special', 'hideReposts', 'hideReplies'] as const;

type Option = MenuItem & { checked: boolean };

/** Returns menu items that change the options of the viewer's follow of a user; none without a follow. */
export function useFollowOptions(key: useFollowOptions_user$key): [special?: Option, ...hides: Option[]] {
  const user = useFragment(
    graphql`
      fragment useFollowOptions_user on User {
        id
        handle
        viewerFollows
        viewerFollowOptions { special hideReposts hideReplies }
      }
    `,
    key,
  );
  const commit = useCommit();
  const toasts = useToasts();
  if (!user.viewerFollows) return [];
  return OPTIONS.map((option) => {
    const checked = user.viewerFollowOptions?.[option] ?? false;
    const words = pageTexts.followOptions[option];
    const run = async () => {
      const done = await commit<useFollowOptionsMutation>({
        mutation: graphql`
          mutation useFollowOptionsMutation($input: UserIdInput!, $special: Boolean, $hideReposts: Boolean, $hideReplies: Boolean) {
            updateFollow(input: $input, special: $special, hideReposts: $hideReposts, hideReplies: $hideReplies) {
              user { id viewerFollowOptions { special hideReposts hideReplies } }
              userErrors { code message }
            }
          }
        `,
        variables: { input: { userId: user.id }, [option]: !checked },
        optimisticUpdater: (store) => {
          store.get(user.id)?.getOrCreateLinkedRecord('viewerFollowOptions', 'FollowOptions').setValue(!checked, option);
        },
        updater: refreshHome,
      }, pageTexts.followOptions.failed);
      if (done) toasts.show({ tone: 'good', title: (checked ? words.undone : words.done)(user.handle) });
    };
    return { checked, label: words.label(user.handle), hint: words.hint, run: () => void run() };
  }) as [Option, Option, Option];
}
