// relay-runtime: a connection that grows at its end by pages and at its top by
// @prependEdge, from a mutation and from a subscription, and that refetch makes again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from 'graphql-ws';
import relay from 'relay-runtime';
import WebSocket from 'ws';
import { finish, openWorld, rest, scroll, socketURL, until, url } from '../world.mjs';
import { HomePublishMutation, HomeQuery, HomeSubscription, timeline } from './Home.js';

const { createOperationDescriptor, getSingularSelector } = relay;

// What @refetchable made of the fragment.
const HomeNextQuery = timeline.metadata.refetch.operation;

// openEnvironment returns an environment of a world's viewer. close ends its socket.
function openEnvironment(world) {
  const Authorization = `Bearer ${world.viewer}`;
  const headers = { 'Content-Type': 'application/json', Authorization };
  const socket = createClient({ url: socketURL, webSocketImpl: WebSocket, connectionParams: { Authorization } });
  const fetchPayload = async ({ text }, variables) => {
    const response = await world.fetch(url, { method: 'POST', headers, body: JSON.stringify({ query: text, variables }) });
    return response.json();
  };
  const subscribe = ({ text }, variables) =>
    relay.Observable.create((sink) => socket.subscribe({ query: text, variables }, sink));
  const environment = new relay.Environment({
    network: relay.Network.create(fetchPayload, subscribe),
    store: new relay.Store(new relay.RecordSource()),
  });
  return { environment, close: () => socket.dispose() };
}

// Timeline is what a component does that shows the viewer's home feed.
class Timeline {
  constructor(environment, first) {
    this.environment = environment;
    this.query = createOperationDescriptor(HomeQuery, { first });
    environment.retain(this.query);
  }

  // refetch loads the first page in the place of all that is shown.
  refetch() {
    return this.load(HomeQuery, {});
  }

  // more loads the page after what is shown.
  more() {
    return this.load(HomeNextQuery, { after: this.connection().pageInfo.endCursor });
  }

  // load returns whether there is more to load.
  async load(query, cursor) {
    const variables = { ...this.query.request.variables, ...cursor };
    await relay.fetchQuery(this.environment, query, variables, { fetchPolicy: 'network-only' }).toPromise();
    return this.connection().pageInfo.hasNextPage;
  }

  // connection is what is shown now, as the fragment reads it out of the store.
  connection() {
    const { viewer } = this.environment.lookup(this.query.fragment).data;
    return this.environment.lookup(getSingularSelector(timeline, viewer)).data.homeFeed;
  }

  shown() {
    return this.connection().edges.map((edge) => edge.node.databaseId);
  }
}

// publish publishes as the viewer, by a mutation of the environment under test.
function publish(environment, connection, text) {
  return new Promise((resolve, reject) => {
    relay.commitMutation(environment, {
      mutation: HomePublishMutation,
      variables: { input: { text }, connections: [connection] },
      onCompleted: (data) => resolve(data.publishPost),
      onError: reject,
    });
  });
}

// listen subscribes, and returns the delivered ids as they arrive.
function listen(environment, connection) {
  const delivered = [];
  relay.requestSubscription(environment, {
    subscription: HomeSubscription,
    variables: { connections: [connection] },
    onNext: (data) => delivered.push(data.homeFeedEdges.node.databaseId),
    onError: (error) => assert.fail(error),
  });
  return delivered;
}

test('relay-runtime reads a feed to its end while posts are published', async (t) => {
  const world = openWorld('relay-runtime');
  const { environment, close } = openEnvironment(world);
  t.after(close);
  const home = new Timeline(environment, world.pageSize);
  await home.refetch();
  const connection = home.connection().__id; // there is one to prepend to from here on
  world.publishOwn = (text) => publish(environment, connection, text);
  const delivered = listen(environment, connection);
  await world.hear(() => delivered.length > 0);

  // A list that is being replaced loses posts delivered meanwhile, so the scroll begins
  // before anything is published.
  await world.begin();
  await home.refetch();
  const pages = await scroll(world, () => home.more());
  await until('all new posts are delivered', () => world.published.every((content) => delivered.includes(content.databaseId)));
  const shown = home.shown();

  await rest((first) => (first ? home.refetch() : home.more()));
  finish('relay-runtime', world, { pages, shown, refreshed: home.shown() });
});
