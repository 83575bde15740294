// Apollo Client and urql show a page before its deferred fields.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApolloClient, HttpLink, InMemoryCache, gql as apolloGql } from '@apollo/client';
import { Defer20220824Handler } from '@apollo/client/incremental';
import { Client, fetchExchange, gql } from '@urql/core';

const url = process.env.TIDELINE_URL;
const headers = { Authorization: `Bearer ${process.env.TIDELINE_TOKEN}` };

// Reposts only, because other suites publish, edit and delete posts of the same viewer meanwhile.
const page = (author, counters) => `query Home {
  viewer {
    homeFeed(first: 5, kinds: [REPOST]) {
      nodes { id text ...Author ${author} ... on Post ${counters} { counters { likes } } }
    }
  }
}
fragment Author on Post { author { id handle } }`;
const deferred = page('@defer(label: "author")', '@defer(label: "counters")');

// whole is the page by a client that reads one part only.
async function whole() {
  const body = JSON.stringify({ query: page('', '') });
  const response = await fetch(url, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body });
  const { data } = await response.json();
  return data.viewer.homeFeed.nodes;
}

// shows checks the states of a page, each a list of posts.
async function shows(states) {
  const [first, last] = [states[0], states.at(-1)];
  assert.ok(states.length > 1 && first.length > 0, JSON.stringify(states));
  for (const post of first) {
    assert.ok(post.text !== undefined && post.author === undefined && post.counters === undefined, JSON.stringify(post));
  }
  assert.deepEqual(last, await whole());
}

const plain = (value) => JSON.parse(JSON.stringify(value, (key, inner) => (key === '__typename' ? undefined : inner)));

test('Apollo Client shows deferred fields later', async () => {
  const client = new ApolloClient({
    link: new HttpLink({ uri: url, headers }),
    cache: new InMemoryCache({ typePolicies: { Viewer: { keyFields: [] } } }),
    incrementalHandler: new Defer20220824Handler(),
  });
  // The cache omits what is pending; the order of keys is that of the query.
  const states = await new Promise((done, fail) => {
    const all = [];
    client.watchQuery({ query: apolloGql(deferred) }).subscribe({
      next({ data, dataState, error }) {
        if (error) fail(error);
        if (data?.viewer) all.push(plain(data.viewer.homeFeed.nodes));
        if (dataState === 'complete') done(all);
      },
      error: fail,
    });
  });
  await shows(states);
  client.stop();
});

test('urql shows deferred fields later', async () => {
  const client = new Client({ url, preferGetMethod: false, fetchOptions: { headers }, exchanges: [fetchExchange] });
  const states = await new Promise((done, fail) => {
    const all = [];
    client.query(gql(deferred), {}).subscribe(({ data, error, hasNext }) => {
      if (error) fail(error);
      all.push(plain(data.viewer.homeFeed.nodes));
      if (!hasNext) done(all);
    });
  });
  await shows(states);
});
