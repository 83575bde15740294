import { graphql } from 'react-relay';

import type { RequestsLinkQuery } from '../__generated__/RequestsLinkQuery.graphql';
import { Link } from '../app/Link';
import { requestsHref } from '../app/routes';
import { Icon } from '../parts/Icon';
import { useReadAgain } from '../relay/useReadAgain';
import { COUNTED } from './followers';
import { pageTexts } from '../texts/pages';

const linkQuery = graphql`
  query RequestsLinkQuery {
    viewer {
      user { id isPrivate }
      followRequests(first: 10) { __id nodes { id } }
    }
  }
`;

/** The entry of the navigation for follow requests, if there are any or the account is private. */
export default function RequestsLink({ here }: { here: boolean }) {
  const [{ viewer }] = useReadAgain<RequestsLinkQuery>(
    linkQuery, {}, (data) => data.viewer?.followRequests.__id, { fetchPolicy: 'store-and-network' },
  );
  const count = viewer?.followRequests.nodes.length ?? 0;
  if (!count && !viewer?.user.isPrivate) return null;
  const shown = count < COUNTED ? String(count) : `${COUNTED - 1}+`;
  return (
    <Link href={requestsHref(false)} className="way" aria-current={here ? 'page' : undefined}>
      <Icon name="lock" />
      <span>{pageTexts.requests.title}</span>
      {count > 0 && <span className="tally"><span aria-hidden="true">{shown}</span><span className="hidden">{pageTexts.requests.waiting(shown)}</span></span>}
    </Link>
  );
}
