// Server-sent events, by the client of their GraphQL protocol and by an EventSource.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventSource } from 'eventsource';
import { createClient } from 'graphql-sse';

const { TIDELINE_URL: url, TICKS_URL: ticksURL, TIDELINE_TOKEN: token } = process.env;

// withClient calls use with a client that opens a connection for each operation.
async function withClient(options, use) {
  const client = createClient({ url, retryAttempts: 0, ...options });
  try {
    await use(client);
  } finally {
    client.dispose();
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

const signedIn = { headers: { Authorization: `Bearer ${token}` } };

test('who signs in by a header is the viewer, and may change things', () =>
  withClient(signedIn, async (client) => {
    const [me] = await all(client, '{ viewer { user { databaseId } } }');
    assert.equal(me.data.viewer.user.databaseId, '10');
    const publish = 'mutation ($text: String!) { publishPost(input: { text: $text }) { post { text } userErrors { message } } }';
    const [published] = await all(client, publish, { text: 'over a stream' });
    assert.deepEqual(published.data.publishPost, { post: { text: 'over a stream' }, userErrors: [] });
  }));

test('an operation that is wrong is a result with errors', () =>
  withClient({}, async (client) => {
    const [wrong] = await all(client, '{ nothing }');
    assert.equal(wrong.errors[0].extensions.code, 'GRAPHQL_VALIDATION_FAILED');
  }));

test('a token that does not hold is refused', () =>
  withClient({ headers: { Authorization: 'Bearer nonsense' } }, async (client) => {
    await assert.rejects(all(client, '{ __typename }'), (error) => error.response.status === 401);
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

// events returns the results that an EventSource gets for a query, up to the end.
async function events(address, query) {
  const source = new EventSource(`${address}?query=${encodeURIComponent(query)}`);
  const results = [];
  try {
    await new Promise((resolve, reject) => {
      source.addEventListener('next', (event) => results.push(JSON.parse(event.data)));
      source.addEventListener('complete', resolve);
      source.addEventListener('error', reject);
    });
  } finally {
    source.close();
  }
  return results;
}

test('an EventSource gets every event, and learns of the end', async () => {
  const ticks = await events(ticksURL, 'subscription { ticks(to: 5) }');
  assert.deepEqual(ticks.map((r) => r.data.ticks), [1, 2, 3, 4, 5]);
});

test('an EventSource, which can send no header of its own, is let in', async () => {
  const [result] = await events(url, '{ __typename }');
  assert.equal(result.data.__typename, 'Query');
});
