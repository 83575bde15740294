// Relay, Apollo Client and urql keep a home feed current by the subscription homeChanges. docs/clients.md
// shows the functions between the marks.
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

const url = process.env.TIDELINE_URL;
const headers = { Authorization: `Bearer ${process.env.TIDELINE_TOKEN}` };

const fields = 'cursor node { id databaseId publishedAt text }';
const homeText = `query Home($first: Int!, $after: String) {
  viewer { homeFeed(first: $first, after: $after) { edges { ${fields} } pageInfo { hasNextPage endCursor } syncToken } }
}`;
const changesText = `subscription Changes($since: String!) {
  homeChanges(since: $since) { changes { kind postId edge { ${fields} } } syncToken }
}`;

// docs: apply
const place = ({ cursor }) => atob(cursor.replace(/-/g, '+').replace(/_/g, '/')).slice(3, 19);
const newestFirst = (a, b) => (place(a) === place(b) ? 0 : place(a) < place(b) ? 1 : -1);

function applyChanges({ edges, pageInfo, ...list }, changes) {
  const oldest = pageInfo.hasNextPage ? edges.at(-1) : null;
  const byId = new Map(edges.map((edge) => [edge.node.id, edge]));
  for (const { postId, edge } of changes) {
    if (!edge) byId.delete(postId);
    else if (!oldest || newestFirst(edge, oldest) <= 0) byId.set(postId, edge);
  }
  return { ...list, pageInfo, edges: [...byId.values()].sort(newestFirst) };
}
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

const isSubscription = ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION;
const http = new HttpLink({ uri: url, headers });

test('Apollo Client applies changes from a WebSocket', async () => {
  const socket = openSocket();
  await followsByApollo(ApolloLink.split(isSubscription, new GraphQLWsLink(socket), http));
  await socket.dispose();
});

test('Apollo Client applies changes from a multipart response', () => followsByApollo(http));

async function followsByApollo(link) {
  const client = new ApolloClient({
    link,
    cache: new InMemoryCache({ typePolicies: { Viewer: { keyFields: [], fields: { homeFeed: relayStylePagination(['kinds']) } } } }),
  });
  const [query, changesQuery] = [apolloGql(homeText), apolloGql(changesText)];
  // docs: apollo
  const variables = { first: 10 };
  const { data } = await client.query({ query, variables });
  const events = client.subscribe({ query: changesQuery, variables: { since: data.viewer.homeFeed.syncToken } }).subscribe(({ data: { homeChanges } }) =>
    client.cache.updateQuery({ query, variables }, ({ viewer }) => ({
      viewer: { ...viewer, homeFeed: applyChanges(viewer.homeFeed, homeChanges.changes) },
    })));
  // docs: end
  await follows(() => client.readQuery({ query, variables }).viewer.homeFeed.edges.map(({ node }) => node.text));
  events.unsubscribe();
  client.stop();
}

test('urql applies changes', async () => {
  const socket = openSocket();
  const [query, changesQuery] = [gql(homeText), gql(changesText)];
  const embedded = () => null;
  const variables = { first: 10 };
  // docs: urql
  const updates = {
    Subscription: {
      homeChanges: ({ homeChanges }, _, cache) =>
        cache.updateQuery({ query, variables }, (data) => data && {
          ...data, viewer: { ...data.viewer, homeFeed: applyChanges(data.viewer.homeFeed, homeChanges.changes) },
        }),
    },
  };
  // docs: end
  const client = new Client({
    url,
    preferGetMethod: false,
    fetchOptions: { headers },
    exchanges: [
      cacheExchange({
        keys: { Viewer: embedded, FeedConnection: embedded, FeedEdge: embedded, PageInfo: embedded, HomeChangePage: embedded, HomeChange: embedded },
        resolvers: { Viewer: { homeFeed: relayPagination() } },
        updates,
      }),
      fetchExchange,
      subscriptionExchange({ forwardSubscription: (request) => ({ subscribe: (sink) => ({ unsubscribe: socket.subscribe({ ...request, query: request.query ?? '' }, sink) }) }) }),
    ],
  });
  const { data, error } = await client.query(query, variables).toPromise();
  assert.equal(error, undefined, String(error));
  const { unsubscribe } = client.subscription(changesQuery, { since: data.viewer.homeFeed.syncToken }).subscribe(() => {});
  await follows(() => client.readQuery(query, variables).data.viewer.homeFeed.edges.map(({ node }) => node.text));
  unsubscribe();
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
  const variables = { first: 10 };
  const query = relay.createOperationDescriptor(HomeQuery, variables);
  environment.retain(query);
  // docs: relay
  const { viewer } = await fetchQuery(environment, HomeQuery, variables).toPromise();
  const events = requestSubscription(environment, {
    subscription: HomeChangesSubscription,
    variables: { since: viewer.homeFeed.syncToken },
    updater(store) {
      const list = ConnectionHandler.getConnection(store.getRoot().getLinkedRecord('viewer'), 'Home_homeFeed');
      for (const change of store.getRootField('homeChanges').getLinkedRecords('changes')) {
        const [id, edge] = [change.getValue('postId'), change.getLinkedRecord('edge')];
        const edges = list.getLinkedRecords('edges');
        if (!edge) ConnectionHandler.deleteNode(list, id);
        else if (!edges.some((e) => e.getLinkedRecord('node').getDataID() === id)) insert(store, list, edges, edge);
      }
    },
  });

  function insert(store, list, edges, edge) {
    const added = ConnectionHandler.createEdge(store, list, edge.getLinkedRecord('node'), 'FeedEdge');
    added.setValue(edge.getValue('cursor'), 'cursor');
    const cursorOf = (e) => ({ cursor: e.getValue('cursor') });
    const older = edges.find((e) => newestFirst(cursorOf(edge), cursorOf(e)) < 0);
    if (older) ConnectionHandler.insertEdgeBefore(list, added, older.getValue('cursor'));
    else if (!list.getLinkedRecord('pageInfo').getValue('hasNextPage')) ConnectionHandler.insertEdgeAfter(list, added);
  }
  // docs: end
  await follows(() => {
    const selector = relay.getSingularSelector(timeline, environment.lookup(query.fragment).data.viewer);
    return environment.lookup(selector).data.homeFeed.edges.map(({ node }) => node.text);
  });
  events.dispose();
  await socket.dispose();
});
