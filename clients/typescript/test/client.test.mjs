import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tideline } from '../dist/client.js';
import { HomeFeedDocument, LiveFeedDocument, MeDocument } from '../dist/generated/graphql.js';
import { Entries, homeChanges, liveChanges, LiveEntries } from '../dist/changes.js';
import { homeFeed, livePages } from '../dist/feeds.js';

// talking returns a client with prepared responses, and the requests that it sends.
function talking(...answers) {
  const sent = [];
  const fetch = async (url, { headers, body }) => {
    sent.push({ url, token: headers.Authorization, ...JSON.parse(body) });
    const answer = answers.shift();
    return typeof answer === 'string' ? new Response(answer, { status: 502 }) : Response.json(answer);
  };
  return { sent, client: new Tideline({ base: 'http://feeds.example/', token: async () => 'abc', fetch }) };
}

const failing = (code) => ({ errors: [{ message: 'no', extensions: { code, requestId: 'r1' } }] });
const idOf = (document) => document.__meta__.hash;

test('requests have the document id and the token', async () => {
  const { sent, client } = talking({ data: { viewer: null } });
  assert.deepEqual(await client.ask(MeDocument, {}), { viewer: null });
  assert.deepEqual(sent, [{ url: 'http://feeds.example/graphql', token: 'Bearer abc', documentId: idOf(MeDocument), variables: {} }]);
});

test('a service acts for a user', async () => {
  let sent;
  const fetch = async (_, { headers }) => {
    sent = headers;
    return Response.json({ data: { viewer: null } });
  };
  await new Tideline({ base: 'http://feeds.example', token: () => 'abc', actFor: '42', fetch }).ask(MeDocument, {});
  assert.equal(sent['Tideline-Act-For'], '42');
  assert.equal(sent.Authorization, 'Bearer abc');
  await new Tideline({ base: 'http://feeds.example', actFor: ' é%', fetch }).ask(MeDocument, {});
  assert.equal(sent['Tideline-Act-For'], undefined);
  assert.equal(sent['Tideline-Act-For-Encoded'], '%20%C3%A9%25');
});

test('an unknown document id falls back to texts', async () => {
  const data = { viewer: null };
  const { sent, client } = talking(failing('PERSISTED_QUERY_NOT_FOUND'), { data }, { data });
  await client.ask(MeDocument, {});
  await client.ask(MeDocument, {});
  assert.deepEqual(sent.map(({ query }) => query), [undefined, String(MeDocument), String(MeDocument)]);
});

test('an error has code and request id', async () => {
  await assert.rejects(talking(failing('UNAVAILABLE')).client.ask(MeDocument, {}), { code: 'UNAVAILABLE', requestId: 'r1', message: 'no' });
  await assert.rejects(talking('<h1>Bad Gateway</h1>').client.ask(MeDocument, {}), { code: '', message: /502/ });
});

test('homeFeed reads all pages', async () => {
  const page = (cursor, hasNextPage) => ({
    data: { viewer: { homeFeed: { edges: [{ cursor }], pageInfo: { hasNextPage, endCursor: cursor } } } },
  });
  const { sent, client } = talking(page('c1', true), page('c2', false));
  const pages = [];
  for await (const edges of homeFeed(client, { size: 1, kinds: ['POST'] })) pages.push(edges);
  assert.deepEqual(pages, [[{ cursor: 'c1' }], [{ cursor: 'c2' }]]);
  assert.deepEqual(sent.map(({ documentId, variables }) => [documentId, variables]), [
    [idOf(HomeFeedDocument), { first: 1, after: null, kinds: ['POST'] }],
    [idOf(HomeFeedDocument), { first: 1, after: 'c1', kinds: ['POST'] }],
  ]);
});

test('special chooses the feed of special follows', async () => {
  const page = { data: { viewer: { homeFeed: { edges: [], pageInfo: { hasNextPage: false, endCursor: null } } } } };
  const { sent, client } = talking(page, failing('FORBIDDEN'));
  await homeFeed(client, { special: true }).next();
  await assert.rejects(homeChanges(client, 't', { special: true }).next(), { code: 'FORBIDDEN' });
  assert.deepEqual(sent.map(({ variables }) => variables), [{ first: 20, after: null, special: true }, { since: 't', special: true }]);
});

test('homeFeed fails for an anonymous viewer', async () => {
  const { client } = talking({ data: { viewer: null } });
  await assert.rejects(homeFeed(client).next(), { code: 'UNAUTHENTICATED' });
});

test('livePages reads all pages', async () => {
  const page = (cursor, hasNextPage, syncToken) => ({
    data: { viewer: { liveFeed: { edges: [], pageInfo: { hasNextPage, endCursor: cursor }, syncToken } } },
  });
  const { sent, client } = talking(page('c1', true, 't'), page('c2', false, null), { data: { viewer: null } });
  const tokens = [];
  for await (const { syncToken } of livePages(client, { size: 1 })) tokens.push(syncToken);
  assert.deepEqual(tokens, ['t', null]);
  assert.deepEqual(sent.map(({ documentId, variables }) => [documentId, variables]), [
    [idOf(LiveFeedDocument), { first: 1, after: null }],
    [idOf(LiveFeedDocument), { first: 1, after: 'c1' }],
  ]);
  await assert.rejects(livePages(client).next(), { code: 'UNAUTHENTICATED' });
});

// streaming returns a client with prepared streams, and the variables of its requests.
function streaming(...streams) {
  const sent = [];
  const fetch = async (_, { body }) => {
    sent.push(JSON.parse(body).variables.since);
    const text = streams.shift();
    return typeof text === 'string' ? new Response(text, { headers: { 'Content-Type': 'text/event-stream' } }) : Response.json(text);
  };
  return { sent, client: new Tideline({ base: 'http://feeds.example', fetch }) };
}

const event = (syncToken, changes = [], field = 'homeChanges') => `event: next\ndata: ${JSON.stringify({ data: { [field]: { changes, syncToken, hasMore: false } } })}\n\n`;
const retry = { first: 1, most: 2 };

test('homeChanges goes on after the last token', async () => {
  const { sent, client } = streaming(`:\n\n${event('t1')}${event('t2')}`, failing('UNAVAILABLE'), 'event: complete\ndata:\n\n', event('t3'), failing('FORBIDDEN'));
  const tokens = [];
  await assert.rejects(async () => {
    for await (const { syncToken } of homeChanges(client, 't0', { retry })) tokens.push(syncToken);
  }, { code: 'FORBIDDEN' });
  assert.deepEqual(tokens, ['t1', 't2', 't3']);
  assert.deepEqual(sent, ['t0', 't2', 't2', 't2', 't3']);
});

test('homeChanges ends after a reset', async () => {
  const { sent, client } = streaming(event('t1', [{ kind: 'RESET', postId: null, edge: null }]) + event('t2'));
  const tokens = [];
  for await (const { syncToken } of homeChanges(client, 't0', { retry })) tokens.push(syncToken);
  assert.deepEqual([tokens, sent], [['t1'], ['t0']]);
});

test('liveChanges goes on until a reset', async () => {
  const live = (token, ...changes) => event(token, changes, 'liveChanges');
  const { sent, client } = streaming(live('t1') + live('t2'), failing('UNAVAILABLE'), live('t3', { kind: 'RESET', liveSessionId: null, edge: null }) + live('t4'));
  const tokens = [];
  for await (const { syncToken } of liveChanges(client, 't0', { retry })) tokens.push(syncToken);
  assert.deepEqual([tokens, sent], [['t1', 't2', 't3'], ['t0', 't2', 't2']]);
});

test('live entries apply changes in order', () => {
  const edge = (n, sortKey, title) => ({ sortKey, node: { id: `s${n}`, title } });
  const sessions = new LiveEntries();
  const titles = () => sessions.list().map(({ node }) => node.title);
  sessions.add({ edges: [edge(1, '1-50', 'live'), edge(2, '2-100-3', 'soon'), edge(3, '2-200', 'later'), edge(4, '2-300', 'canceled')], syncToken: 't' });
  sessions.apply({ changes: [
    { kind: 'CHANGED', liveSessionId: 's3', edge: edge(3, '1-40', 'begun') }, { kind: 'CHANGED', liveSessionId: 's1', edge: edge(1, '3-30-2', 'ended') },
    { kind: 'ADDED', liveSessionId: 's5', edge: edge(5, '2-100-1', 'also soon') }, { kind: 'REMOVED', liveSessionId: 's4', edge: null },
  ] });
  // The next page shows the moment of the first one.
  sessions.add({ edges: [edge(5, '2-900', 'moved before'), edge(6, '3-35', 'replay'), edge(7, '3-30-1', 'larger id')], syncToken: null });
  assert.deepEqual(titles(), ['begun', 'also soon', 'soon', 'larger id', 'ended', 'replay']);
  assert.equal(sessions.apply({ changes: [{ kind: 'RESET', liveSessionId: null, edge: null }] }), false);
  assert.deepEqual(titles(), []);
});

test('entries apply changes down to the oldest', () => {
  const edge = (n, text) => ({ sortKey: String(999 - n), node: { id: `p${n}`, databaseId: `auth0|${n}`, text } });
  const entries = new Entries();
  const texts = () => entries.list().map(({ node }) => node.text);
  entries.add({ edges: [edge(31, 'a'), edge(21, 'b')], pageInfo: { hasNextPage: true }, syncToken: 't' });
  entries.apply({ changes: [
    { kind: 'ADDED', postId: 'p9', edge: edge(9, 'below') }, { kind: 'ADDED', postId: 'p100', edge: edge(100, 'new') },
    { kind: 'CHANGED', postId: 'p21', edge: edge(21, 'edited') }, { kind: 'REMOVED', postId: 'p31', edge: null },
  ] });
  assert.deepEqual(texts(), ['new', 'edited']);
  assert.equal(entries.apply({ changes: [{ kind: 'RESET', postId: null, edge: null }] }), false);
  assert.deepEqual(texts(), []);
});
