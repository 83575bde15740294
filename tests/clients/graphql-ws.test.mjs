// The client of the WebSocket protocol, as a page would use it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const url = process.env.TIDELINE_URL.replace(/^http/, 'ws');
const ticksURL = process.env.TICKS_URL.replace(/^http/, 'ws');
const token = process.env.TIDELINE_TOKEN;

// withClient calls use with a client, and with a promise of how its socket is closed.
async function withClient(options, use) {
  let closed;
  const closing = new Promise((resolve) => (closed = resolve));
  const client = createClient({ webSocketImpl: WebSocket, url, retryAttempts: 0, on: { closed }, ...options });
  try {
    await use(client, closing);
  } finally {
    await client.dispose();
  }
}

// all returns every result of an operation.
async function all(client, query, variables) {
  const results = [];
  for await (const result of client.iterate({ query, variables })) {
    results.push(result);
  }
  return results;
}

const signedIn = { connectionParams: { Authorization: `Bearer ${token}` } };

test('a client without a token is anonymous', () =>
  withClient({}, async (client) => {
    const [anonymous] = await all(client, '{ viewer { user { handle } } }');
    assert.equal(anonymous.data.viewer, null);
  }));

test('who signs in by connectionParams is the viewer, and may change things', () =>
  withClient(signedIn, async (client) => {
    const [me] = await all(client, '{ viewer { user { databaseId } } }');
    assert.equal(me.data.viewer.user.databaseId, '10');
    const publish = 'mutation ($text: String!) { publishPost(input: { text: $text }) { post { text } userErrors { message } } }';
    const [published] = await all(client, publish, { text: 'over a socket' });
    assert.deepEqual(published.data.publishPost, { post: { text: 'over a socket' }, userErrors: [] });
  }));

test('operations of one socket run side by side', () =>
  withClient(signedIn, async (client) => {
    const query = 'query ($n: Int) { viewer { homeFeed(first: $n) { edges { cursor } } } }';
    const sizes = await Promise.all([1, 2, 3, 4, 5].map(async (n) => (await all(client, query, { n }))[0].data.viewer.homeFeed.edges.length));
    assert.deepEqual(sizes, [1, 2, 3, 4, 5]);
  }));

test('an operation that is wrong fails alone', () =>
  withClient(signedIn, async (client) => {
    await assert.rejects(all(client, '{ nothing }'), (errors) => errors[0].extensions.code === 'GRAPHQL_VALIDATION_FAILED');
    assert.equal((await all(client, '{ __typename }'))[0].data.__typename, 'Query');
  }));

test('a token that does not hold is refused with 4403', () =>
  withClient({ connectionParams: { Authorization: 'Bearer nonsense' } }, async (client, closing) => {
    await assert.rejects(all(client, '{ __typename }'));
    assert.equal((await closing).code, 4403);
  }));

test('a subscription delivers until it ends', () =>
  withClient({ url: ticksURL }, async (client) => {
    const ticks = await all(client, 'subscription { ticks(to: 5) }');
    assert.deepEqual(ticks.map((r) => r.data.ticks), [1, 2, 3, 4, 5]);
  }));

test('a subscription may be left, and another begun', () =>
  withClient({ url: ticksURL }, async (client) => {
    for (let round = 0; round < 3; round++) {
      for await (const { data } of client.iterate({ query: 'subscription { ticks(to: 1000000000) }' })) {
        if (data.ticks === 10) break;
      }
    }
  }));

test('a subscription goes on with a new token when the old one ends', async () => {
  let connections = 0;
  const options = {
    url: ticksURL,
    connectionParams: () => ({ expiresInMillis: connections === 0 ? 100 : 60_000 }),
    retryAttempts: 1,
    retryWait: async () => {},
    on: { connected: () => connections++ },
  };
  await withClient(options, async (client) => {
    for await (const { data } of client.iterate({ query: 'subscription { ticks(to: 1000000000) }' })) {
      if (connections === 2 && data.ticks === 10) break;
    }
  });
  assert.equal(connections, 2);
});
