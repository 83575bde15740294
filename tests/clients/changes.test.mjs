// Relay, Apollo Client and urql keep a home feed and a live feed current by the subscriptions homeChanges
// and liveChanges. docs/clients.md shows the code between the marks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql as apolloGql } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { Client, fetchExchange, gql, subscriptionExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';
import relay from 'relay-runtime';
import WebSocket from 'ws';
import { HomeChangesSubscription, HomeSyncQuery as HomeQuery, timeline } from './feeds/relay/Home.js';
import { LiveChangesSubscription, LiveSyncQuery as LiveQuery, sessions } from './feeds/relay/Live.js';

const url = process.env.TIDELINE_URL;
const headers = { Authorization: `Bearer ${process.env.TIDELINE_TOKEN}` };

const fields = 'cursor sortKey node { id databaseId publishedAt text }';
const homeText = `query Home($first: Int!, $after: String) {
  viewer { homeFeed(first: $first, after: $after) { edges { ${fields} } pageInfo { hasNextPage endCursor } syncToken } }
}`;
const changesText = `subscription Changes($since: String!) {
  homeChanges(since: $since) { changes { kind postId edge { ${fields} } } syncToken }
}`;
const liveFields = 'cursor sortKey state node { id title }';
const liveText = `query Live($first: Int!) { viewer { liveFeed(first: $first) { edges { ${liveFields} } syncToken } } }`;
const liveChangesText = `subscription LiveChanges($since: String!) {
  liveChanges(since: $since) { changes { kind liveSessionId edge { ${liveFields} } } syncToken }
}`;

// docs: apply
const inOrder = (a, b) => (a.sortKey === b.sortKey ? 0 : a.sortKey < b.sortKey ? -1 : 1);

function applyChanges({ edges, ...list }, changes) {
  const oldest = list.pageInfo?.hasNextPage ? edges.at(-1) : null;
  const byId = new Map(edges.map((edge) => [edge.node.id, edge]));
  for (const { postId, liveSessionId, edge } of changes) {
    if (!edge) byId.delete(postId ?? liveSessionId);
    else if (!oldest || inOrder(edge, oldest) <= 0) byId.set(edge.node.id, edge);
  }
  const sorted = [...byId.values()].sort(inOrder);
  const ends = { startCursor: sorted[0]?.cursor ?? null, endCursor: sorted.at(-1)?.cursor ?? null };
  return { ...list, edges: sorted, pageInfo: { ...list.pageInfo, ...ends } };
}

const changed = (feed, { changes }) => (data) => data && {
  ...data, viewer: { ...data.viewer, [feed]: applyChanges(data.viewer[feed], changes) },
};
// docs: end

async function ask(query, variables) {
  const response = await fetch(url, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify({ query, variables }) });
  const { data, errors } = await response.json();
  assert.equal(errors, undefined, JSON.stringify(errors));
  return data;
}

const openSocket = () => createClient({ url: url.replace(/^http/, 'ws'), webSocketImpl: WebSocket, connectionParams: headers });

async function until(holds) {
  while (!await holds()) await setTimeout(20);
}

// follows publishes, edits and deletes posts, and waits until shown returns the texts of a fresh read.
async function follows(shown) {
  const fresh = async () => (await ask(homeText, { first: 5 })).viewer.homeFeed.edges.map(({ node }) => node.text);
  const same = async () => JSON.stringify((await shown()).slice(0, 5)) === JSON.stringify(await fresh());
  const publish = async (text) => (await ask('mutation($text: String!) { publishPost(input: { text: $text }) { post { id } } }', { text })).publishPost.post.id;
  const [one, two] = [await publish('one'), await publish('two')];
  await until(same);
  await ask('mutation($id: ID!) { editPost(input: { postId: $id, text: "edited" }) { post { id } } }', { id: one });
  await until(async () => (await shown()).includes('edited') && same());
  await ask('mutation($id: ID!) { deletePost(input: { postId: $id }) { deletedPostId } }', { id: two });
  await until(async () => !(await shown()).includes('two') && same());
}

// followsLive changes sessions, and waits until shown returns the sessions and states of a fresh read.
async function followsLive(shown) {
  const placesOf = (edges) => edges.map(({ state, node }) => `${state} ${node.title} ${node.id}`);
  const same = async () => JSON.stringify(placesOf(shown())) === JSON.stringify(placesOf((await ask(liveText, { first: 100 })).viewer.liveFeed.edges));
  const stateOf = (id) => shown().find(({ node }) => node.id === id)?.state;
  const schedule = async (title, minutes) => (await ask('mutation($title: String!, $at: DateTime!) { scheduleLive(input: { title: $title, scheduledAt: $at }) { liveSession { id } } }', {
    title, at: new Date(Date.now() + 60_000 * minutes).toISOString(),
  })).scheduleLive.liveSession.id;
  const change = (mutation, id) => ask(`mutation($id: ID!) { ${mutation}(input: { liveSessionId: $id }) { userErrors { message } } }`, { id });
  const [later, sooner] = [await schedule('later', 60), await schedule('sooner', 30)];
  await until(async () => stateOf(later) === 'UPCOMING' && stateOf(sooner) === 'UPCOMING' && same());
  await change('startLive', later);
  await until(async () => stateOf(later) === 'LIVE' && same());
  await change('endLive', later);
  await change('cancelLive', sooner);
  await until(async () => stateOf(later) === 'REPLAY' && !stateOf(sooner) && same());
}

const isSubscription = ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION;
const http = new HttpLink({ uri: url, headers });

for (const [name, follows] of [['home', followsByApollo], ['live', followsLiveByApollo]]) {
  test(`Apollo Client applies ${name} changes from a WebSocket`, async () => {
    const socket = openSocket();
    await follows(ApolloLink.split(isSubscription, new GraphQLWsLink(socket), http));
    await socket.dispose();
  });

  test(`Apollo Client applies ${name} changes from a multipart response`, () => follows(http));
}

const openApollo = (link) => new ApolloClient({
  link,
  cache: new InMemoryCache({
    typePolicies: { Viewer: { keyFields: [], fields: { homeFeed: relayStylePagination(['kinds']), liveFeed: relayStylePagination() } } },
  }),
});

// Apollo takes the cursors of pageInfo for those of the first and the last edge.
test('Apollo Client keeps the cursors of edges at both ends', () => {
  const { cache } = openApollo(http);
  const query = apolloGql('{ viewer { homeFeed { edges { cursor sortKey node { id } } pageInfo { hasNextPage startCursor endCursor } } } }');
  const edge = (n) => ({ __typename: 'FeedEdge', cursor: `c${n}`, sortKey: String(9 - n), node: { __typename: 'Post', id: `p${n}` } });
  const edges = [edge(5), edge(4)];
  const pageInfo = { __typename: 'PageInfo', hasNextPage: false, startCursor: edges[0].cursor, endCursor: edges[1].cursor };
  cache.writeQuery({ query, data: { viewer: { __typename: 'Viewer', homeFeed: { __typename: 'FeedConnection', edges, pageInfo } } } });
  for (const n of [1, 9, 7, 3]) {
    cache.updateQuery({ query }, changed('homeFeed', { changes: [{ postId: `p${n}`, edge: edge(n) }] }));
  }
  const held = cache.readQuery({ query }).viewer.homeFeed.edges.map(({ cursor, node }) => [cursor, node.id]);
  assert.deepEqual(held, [9, 7, 5, 4, 3, 1].map((n) => [edge(n).cursor, `p${n}`]));
});

async function followsByApollo(link) {
  const client = openApollo(link);
  const [query, changesQuery] = [apolloGql(homeText), apolloGql(changesText)];
  // docs: apollo
  const variables = { first: 10 };
  const { data } = await client.query({ query, variables });
  const events = client.subscribe({ query: changesQuery, variables: { since: data.viewer.homeFeed.syncToken } }).subscribe(({ data: { homeChanges } }) =>
    client.cache.updateQuery({ query, variables }, changed('homeFeed', homeChanges)));
  // docs: end
  await follows(() => client.readQuery({ query, variables }).viewer.homeFeed.edges.map(({ node }) => node.text));
  events.unsubscribe();
  client.stop();
}

async function followsLiveByApollo(link) {
  const client = openApollo(link);
  const [query, changesQuery] = [apolloGql(liveText), apolloGql(liveChangesText)];
  // docs: apollo-live
  const variables = { first: 100 };
  const { data } = await client.query({ query, variables });
  const events = client.subscribe({ query: changesQuery, variables: { since: data.viewer.liveFeed.syncToken } }).subscribe(({ data: { liveChanges } }) =>
    client.cache.updateQuery({ query, variables }, changed('liveFeed', liveChanges)));
  // docs: end
  await followsLive(() => client.readQuery({ query, variables }).viewer.liveFeed.edges);
  events.unsubscribe();
  client.stop();
}

test('urql applies changes', async () => {
  const socket = openSocket();
  const [query, changesQuery] = [gql(homeText), gql(changesText)];
  const [liveQuery, liveChangesQuery] = [gql(liveText), gql(liveChangesText)];
  const embedded = () => null;
  const variables = { first: 100 };
  // docs: urql
  const updates = {
    Subscription: {
      homeChanges: ({ homeChanges }, _, cache) =>
        cache.updateQuery({ query, variables }, changed('homeFeed', homeChanges)),
      liveChanges: ({ liveChanges }, _, cache) =>
        cache.updateQuery({ query: liveQuery, variables }, changed('liveFeed', liveChanges)),
    },
  };
  // docs: end
  const keys = Object.fromEntries(['Viewer', 'PageInfo', ...['Feed', 'Live'].flatMap((feed) => [`${feed}Connection`, `${feed}Edge`]),
    ...['Home', 'Live'].flatMap((feed) => [`${feed}ChangePage`, `${feed}Change`])].map((type) => [type, embedded]));
  const client = new Client({
    url,
    preferGetMethod: false,
    fetchOptions: { headers },
    exchanges: [
      cacheExchange({ keys, resolvers: { Viewer: { homeFeed: relayPagination(), liveFeed: relayPagination() } }, updates }),
      fetchExchange,
      subscriptionExchange({ forwardSubscription: (request) => ({ subscribe: (sink) => ({ unsubscribe: socket.subscribe({ ...request, query: request.query ?? '' }, sink) }) }) }),
    ],
  });
  const read = async (document) => {
    const { data, error } = await client.query(document, variables).toPromise();
    assert.equal(error, undefined, String(error));
    return data.viewer;
  };
  const { homeFeed } = await read(query);
  const { liveFeed } = await read(liveQuery);
  const home = client.subscription(changesQuery, { since: homeFeed.syncToken }).subscribe(() => {});
  const live = client.subscription(liveChangesQuery, { since: liveFeed.syncToken }).subscribe(() => {});
  await follows(() => client.readQuery(query, variables).data.viewer.homeFeed.edges.map(({ node }) => node.text));
  await followsLive(() => client.readQuery(liveQuery, variables).data.viewer.liveFeed.edges);
  home.unsubscribe();
  live.unsubscribe();
  await socket.dispose();
});

test('Relay applies changes', async () => {
  const socket = openSocket();
  const { ConnectionHandler, fetchQuery, requestSubscription } = relay;
  const environment = new relay.Environment({
    network: relay.Network.create(
      async ({ text }, variables) => ({ data: await ask(text, variables) }),
      ({ text }, variables) => relay.Observable.create((sink) => socket.subscribe({ query: text, variables }, sink)),
    ),
    store: new relay.Store(new relay.RecordSource()),
  });
  const variables = { first: 100 };
  const [query, liveQuery] = [HomeQuery, LiveQuery].map((document) => relay.createOperationDescriptor(document, variables));
  environment.retain(query);
  environment.retain(liveQuery);
  // docs: relay
  const { viewer } = await fetchQuery(environment, HomeQuery, variables).toPromise();
  const events = requestSubscription(environment, {
    subscription: HomeChangesSubscription,
    variables: { since: viewer.homeFeed.syncToken },
    updater: changing('Home_homeFeed', 'homeChanges'),
  });

  function changing(key, field) {
    return (store) => {
      const list = ConnectionHandler.getConnection(store.getRoot().getLinkedRecord('viewer'), key);
      for (const change of store.getRootField(field).getLinkedRecords('changes')) {
        const [id, edge] = [change.getValue('postId') ?? change.getValue('liveSessionId'), change.getLinkedRecord('edge')];
        const held = list.getLinkedRecords('edges').find((e) => e.getLinkedRecord('node').getDataID() === id);
        if (edge && held && keyOf(edge) === keyOf(held)) continue;
        ConnectionHandler.deleteNode(list, id);
        if (edge) insert(store, list, edge);
      }
    };
  }

  function insert(store, list, edge) {
    const added = ConnectionHandler.createEdge(store, list, edge.getLinkedRecord('node'), edge.getType());
    added.copyFieldsFrom(edge);
    const older = list.getLinkedRecords('edges').find((e) => keyOf(edge) < keyOf(e));
    const whole = edge.getType() === 'LiveEdge' || !list.getLinkedRecord('pageInfo').getValue('hasNextPage');
    if (older) ConnectionHandler.insertEdgeBefore(list, added, older.getValue('cursor'));
    else if (whole) ConnectionHandler.insertEdgeAfter(list, added);
  }

  function keyOf(edge) {
    return edge.getValue('sortKey');
  }
  // docs: end
  // docs: relay-live
  const live = await fetchQuery(environment, LiveQuery, variables).toPromise();
  const liveEvents = requestSubscription(environment, {
    subscription: LiveChangesSubscription,
    variables: { since: live.viewer.liveFeed.syncToken },
    updater: changing('Live_liveFeed', 'liveChanges'),
  });
  // docs: end
  const shown = (operation, fragment, feed) =>
    environment.lookup(relay.getSingularSelector(fragment, environment.lookup(operation.fragment).data.viewer)).data[feed].edges;
  await follows(() => shown(query, timeline, 'homeFeed').map(({ node }) => node.text));
  await followsLive(() => shown(liveQuery, sessions, 'liveFeed'));
  events.dispose();
  liveEvents.dispose();
  await socket.dispose();
});
