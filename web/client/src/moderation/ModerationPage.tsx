import { graphql, usePaginationFragment } from 'react-relay';

import type { ModerationPage_log$key } from '../__generated__/ModerationPage_log.graphql';
import type { ModerationPageLogQuery } from '../__generated__/ModerationPageLogQuery.graphql';
import type { ModerationPageQuery } from '../__generated__/ModerationPageQuery.graphql';
import { PageHead } from '../app/PageHead';
import { MoreFoot } from '../parts/MoreFoot';
import { Empty } from '../parts/Trouble';
import { useReadAgain } from '../relay/useReadAgain';
import { Entry } from './Entry';
import { moderationTexts } from '../texts/moderation';

/** Entries per page. */
const PAGE = 20;

const texts = moderationTexts.log;

const logQuery = graphql`
  query ModerationPageQuery($first: Int!) {
    ...ModerationPage_log @arguments(first: $first)
  }
`;

/** The takedowns and suspensions by moderators. */
export function ModerationPage({ attempt }: { attempt: number }) {
  const [data] = useReadAgain<ModerationPageQuery>(logQuery, { first: PAGE }, () => undefined, { fetchKey: attempt, fetchPolicy: 'store-and-network' });
  return (
    <>
      <PageHead title={texts.title} />
      <Log log={data} />
    </>
  );
}

function Log({ log }: { log: ModerationPage_log$key }) {
  const { data: { moderationLog }, ...pages } = usePaginationFragment<ModerationPageLogQuery, ModerationPage_log$key>(
    graphql`
      fragment ModerationPage_log on Query
      @refetchable(queryName: "ModerationPageLogQuery")
      @argumentDefinitions(first: { type: "Int" }, after: { type: "String" }) {
        moderationLog(first: $first, after: $after) @connection(key: "ModerationPage_moderationLog") {
          edges { cursor node { ...Entry_entry } }
        }
      }
    `,
    log,
  );
  const { edges } = moderationLog;
  if (!edges.length && !pages.hasNext) return <Empty icon="shield" title={texts.none}><p>{texts.noneHint}</p></Empty>;
  return (
    <>
      <ul aria-label={texts.list}>
        {edges.map(({ cursor, node }) => <Entry key={cursor} entry={node} />)}
      </ul>
      <MoreFoot pages={pages} size={PAGE} end={texts.end} />
    </>
  );
}
