import { Suspense, useEffect, useRef, useState } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';

import type { SearchPage_query$key } from '../__generated__/SearchPage_query.graphql';
import type { SearchPagePageQuery } from '../__generated__/SearchPagePageQuery.graphql';
import type { SearchPageQuery } from '../__generated__/SearchPageQuery.graphql';
import { navigate } from '../app/history';
import { PageHead } from '../app/PageHead';
import { searchHref } from '../app/routes';
import { Icon } from '../parts/Icon';
import { Boundary, Empty, Loading } from '../parts/Trouble';
import { PeopleList } from './PeopleList';
import { pageTexts } from '../texts/pages';

/** Delay in ms between the last key press and the search. */
const TYPING_PAUSE = 250;
/** The longest query that the server accepts, in code points. */
const LONGEST = 100;

/** Searches for people. The address contains the query. */
export default function SearchPage({ query }: { query: string }) {
  const [text, setText] = useState(query);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => setText(query), [query]);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (text === query) return;
    const later = setTimeout(() => navigate(searchHref(text), true), TYPING_PAUSE);
    return () => clearTimeout(later);
  }, [text, query]);
  return (
    <>
      <PageHead title={pageTexts.search.title} />
      <form className="search" role="search" onSubmit={(event) => event.preventDefault()}>
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          dir="auto"
          aria-label={pageTexts.search.field}
          placeholder={pageTexts.search.placeholder}
          maxLength={LONGEST}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
      {query.trim() ? (
        <Boundary key={query}>
          {(attempt) => (
            <Suspense fallback={<Loading label={pageTexts.search.searching} rows={4} />}>
              <Results query={query} attempt={attempt} />
            </Suspense>
          )}
        </Boundary>
      ) : (
        <Empty icon="search" title={pageTexts.search.start}><p>{pageTexts.search.startHint}</p></Empty>
      )}
    </>
  );
}

function Results({ query, attempt }: { query: string; attempt: number }) {
  const found = useLazyLoadQuery<SearchPageQuery>(
    graphql`
      query SearchPageQuery($query: String!, $first: Int!) {
        ...SearchPage_query @arguments(query: $query, first: $first)
      }
    `,
    { query, first: 30 },
    { fetchKey: attempt },
  );
  const { data, ...pages } = usePaginationFragment<SearchPagePageQuery, SearchPage_query$key>(
    graphql`
      fragment SearchPage_query on Query
      @refetchable(queryName: "SearchPagePageQuery")
      @argumentDefinitions(query: { type: "String!" }, first: { type: "Int" }, after: { type: "String" }) {
        users(query: $query, first: $first, after: $after) @connection(key: "SearchPage_users") {
          edges { node { id ...PersonRow_user } }
        }
      }
    `,
    found,
  );
  if (!data.users.edges.length) {
    return <Empty icon="search" title={pageTexts.search.none}><p>{pageTexts.search.noneHint(query)}</p></Empty>;
  }
  return <PeopleList label={pageTexts.search.results(query)} people={data.users.edges} pages={pages} empty="" />;
}
