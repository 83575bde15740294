import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Tideline } from '../dist/client.js';
import { HomeFeedDocument, MeDocument } from '../dist/generated/graphql.js';
import { homeFeed } from '../dist/home.js';

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

test('homeFeed fails for an anonymous viewer', async () => {
  const { client } = talking({ data: { viewer: null } });
  await assert.rejects(homeFeed(client).next(), { code: 'UNAUTHENTICATED' });
});
