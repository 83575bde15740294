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

// A function, because the client adds the token of its stream to the headers that it gets.
const signedIn = { headers: () => ({ Authorization: `Bearer ${token}` }) };

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

// In the single connection mode, all operations of a client share one stream.
const oneStream = { ...signedIn, singleConnection: true };

test('operations share one connection', async () => {
  const sent = [];
  const fetchFn = (address, request) => {
    sent.push(request.method);
    return fetch(address, request);
  };
  await withClient({ ...oneStream, fetchFn }, async (client) => {
    const query = 'query ($n: Int) { viewer { homeFeed(first: $n) { edges { cursor } } } }';
    const sizes = await Promise.all([1, 2, 3].map(async (n) => (await all(client, query, { n }))[0].data.viewer.homeFeed.edges.length));
    assert.deepEqual(sizes, [1, 2, 3]);
  });
  assert.deepEqual(sent, ['PUT', 'GET', 'POST', 'POST', 'POST']);
});

const changesQuery = 'subscription ($since: String!) { homeChanges(since: $since) { changes { kind postId } syncToken } }';

async function syncToken(client) {
  const [{ data }] = await all(client, '{ viewer { homeFeed { syncToken } } }');
  return data.viewer.homeFeed.syncToken;
}

// publish publishes a post and returns its id.
async function publish(client, text) {
  const mutation = 'mutation ($text: String!) { publishPost(input: { text: $text }) { post { id } userErrors { message } } }';
  const [{ data }] = await all(client, mutation, { text });
  return data.publishPost.post.id;
}

const adds = ({ data }, id) => data.homeChanges.changes.some(({ kind, postId }) => kind === 'ADDED' && postId === id);

test('a subscription shares the connection of mutations, and may be left', () =>
  withClient({ ...oneStream, lazy: false }, async (client) => {
    const events = client.iterate({ query: changesQuery, variables: { since: await syncToken(client) } });
    const id = await publish(client, 'over a reserved stream');
    for await (const event of events) {
      if (adds(event, id)) break;
    }
    const [after] = await all(client, '{ __typename }');
    assert.equal(after.data.__typename, 'Query');
  }));

test('an operation that is wrong does not begin on a reserved stream', () =>
  withClient(oneStream, async (client) => {
    await assert.rejects(all(client, '{ nothing }'), (error) => error.response.status === 400);
    assert.equal((await all(client, '{ __typename }'))[0].data.__typename, 'Query');
  }));

test('a client that loses its stream reserves another one', async () => {
  let reservations = 0;
  let reservedAgain;
  const reserving = new Promise((resolve) => (reservedAgain = resolve));
  const control = new AbortController();
  const fetchFn = (address, { signal, ...request }) => {
    if (request.method === 'PUT' && ++reservations === 2) reservedAgain();
    const first = request.method === 'GET' && reservations === 1;
    return fetch(address, { ...request, signal: first ? AbortSignal.any([signal, control.signal]) : signal });
  };
  await withClient(signedIn, (other) =>
    withClient({ ...oneStream, fetchFn, retryAttempts: 3, retry: async () => {} }, async (client) => {
      const events = client.iterate({ query: changesQuery, variables: { since: await syncToken(other) } });
      const before = await publish(other, 'before the loss');
      let after;
      for await (const event of events) {
        if (after && adds(event, after)) break;
        if (after || !adds(event, before)) continue;
        // The lost stream cannot deliver what is published after the client has given it up.
        control.abort();
        await reserving;
        after = await publish(other, 'after the loss');
      }
    }));
  assert.equal(reservations, 2);
});

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
