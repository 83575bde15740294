import { graphql, useFragment, usePaginationFragment } from 'react-relay';

import type { RequestsPage_received$key } from '../__generated__/RequestsPage_received.graphql';
import type { RequestsPage_sent$key } from '../__generated__/RequestsPage_sent.graphql';
import type { RequestsPage_user$key } from '../__generated__/RequestsPage_user.graphql';
import type { RequestsPage_withdraw$key } from '../__generated__/RequestsPage_withdraw.graphql';
import type { RequestsPageQuery } from '../__generated__/RequestsPageQuery.graphql';
import type { RequestsPageReceivedQuery } from '../__generated__/RequestsPageReceivedQuery.graphql';
import type { RequestsPageSentQuery } from '../__generated__/RequestsPageSentQuery.graphql';
import { Link } from '../app/Link';
import { PageHead } from '../app/PageHead';
import { requestsHref } from '../app/routes';
import { Empty } from '../parts/Trouble';
import { useReadAgain } from '../relay/useReadAgain';
import { PeopleList } from './PeopleList';
import { focusNeighbour, useFollowerAction } from './useFollowerAction';
import { useRelations } from './useRelations';
import { pageTexts } from '../texts/pages';

const texts = pageTexts.requests;

const requestsQuery = graphql`
  query RequestsPageQuery($sent: Boolean!, $first: Int!) {
    viewer {
      __id
      ...RequestsPage_received @arguments(first: $first) @alias(as: "received") @skip(if: $sent)
      ...RequestsPage_sent @arguments(first: $first) @alias(as: "sent") @include(if: $sent)
    }
  }
`;

/** The requests to follow the viewer, or those that the viewer has sent. */
export default function RequestsPage({ sent, attempt }: { sent: boolean; attempt: number }) {
  const [{ viewer }] = useReadAgain<RequestsPageQuery>(
    requestsQuery, { sent, first: 30 }, (data) => data.viewer?.__id, { fetchKey: attempt, fetchPolicy: 'store-and-network' },
  );
  return (
    <>
      <PageHead title={texts.title} />
      <nav className="tabs" aria-label={texts.tabsLabel}>
        {[false, true].map((tab) => (
          <Link key={Number(tab)} href={requestsHref(tab)} aria-current={tab === sent ? 'page' : undefined}>{tab ? texts.sent : texts.received}</Link>
        ))}
      </nav>
      {viewer?.received && <Received viewer={viewer.received} />}
      {viewer?.sent && <Sent viewer={viewer.sent} />}
    </>
  );
}

function Received({ viewer }: { viewer: RequestsPage_received$key }) {
  const { data, ...pages } = usePaginationFragment<RequestsPageReceivedQuery, RequestsPage_received$key>(
    graphql`
      fragment RequestsPage_received on Viewer
      @refetchable(queryName: "RequestsPageReceivedQuery")
      @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }) {
        user { isPrivate }
        followRequests(first: $first, after: $after) @connection(key: "RequestsPage_followRequests") {
          edges { node { id ...PersonRow_user ...RequestsPage_user } }
        }
      }
    `,
    viewer,
  );
  const people = data.followRequests.edges.filter(({ node }) => node != null);
  if (!people.length && !pages.hasNext) {
    return <Empty icon="person" title={texts.noneReceived}><p>{data.user.isPrivate ? texts.nonePrivate : texts.nonePublic}</p></Empty>;
  }
  return <PeopleList label={texts.listReceived} people={people} pages={pages} empty="" actions={(user) => <RequestActions user={user} />} />;
}

function RequestActions({ user: key }: { user: RequestsPage_user$key }) {
  const { id, handle } = useFragment(
    graphql`
      fragment RequestsPage_user on User {
        id
        handle
      }
    `,
    key,
  );
  const act = useFollowerAction();
  const accept = (control: Element) => {
    focusNeighbour(control);
    void act('accept', id, texts.accepted(handle), texts.acceptFailed);
  };
  const reject = (control: Element) => {
    focusNeighbour(control);
    void act('reject', id, texts.rejected(handle), texts.rejectFailed);
  };
  return (
    <div className="profile-actions">
      <button type="button" className="button button-small button-primary" aria-label={texts.acceptLabel(handle)} onClick={(event) => accept(event.currentTarget)}>{texts.accept}</button>
      <button type="button" className="button button-small" aria-label={texts.rejectLabel(handle)} onClick={(event) => reject(event.currentTarget)}>{texts.reject}</button>
    </div>
  );
}

function Sent({ viewer }: { viewer: RequestsPage_sent$key }) {
  const { data, ...pages } = usePaginationFragment<RequestsPageSentQuery, RequestsPage_sent$key>(
    graphql`
      fragment RequestsPage_sent on Viewer
      @refetchable(queryName: "RequestsPageSentQuery")
      @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }) {
        sentFollowRequests(first: $first, after: $after) @connection(key: "RequestsPage_sentFollowRequests") {
          edges { node { id viewerFollowRequested ...PersonRow_user ...RequestsPage_withdraw } }
        }
      }
    `,
    viewer,
  );
  // A withdrawn request stays in the list until it is loaded again.
  const people = data.sentFollowRequests.edges.filter(({ node }) => node?.viewerFollowRequested);
  if (!people.length && !pages.hasNext) {
    return <Empty icon="person" title={texts.noneSent}><p>{texts.noneSentHint}</p></Empty>;
  }
  return <PeopleList label={texts.listSent} people={people} pages={pages} empty="" actions={(user) => <Withdraw user={user} />} />;
}

function Withdraw({ user: key }: { user: RequestsPage_withdraw$key }) {
  const user = useFragment(
    graphql`
      fragment RequestsPage_withdraw on User {
        ...useRelations_user
      }
    `,
    key,
  );
  const follow = useRelations(user).find((item) => item.relation === 'follow');
  const withdraw = (control: Element) => {
    focusNeighbour(control);
    follow?.run();
  };
  return <button type="button" className="button button-small" aria-label={follow?.label} onClick={(event) => withdraw(event.currentTarget)}>{texts.withdraw}</button>;
}
