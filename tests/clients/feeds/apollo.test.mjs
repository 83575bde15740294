// Apollo Client: fetchMore into a list of relayStylePagination. updateQuery adds the posts of a
// subscription above it.
import { test } from 'node:test';
import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { finish, openWorld, rest, scroll, socketURL, until, url } from './world.mjs';

const edge = gql`
  fragment TimelineEdge on FeedEdge {
    cursor
    node {
      id
      databaseId
      text
    }
  }
`;

const homeQuery = gql`
  query Home($first: Int!, $after: String) {
    viewer {
      homeFeed(first: $first, after: $after) {
        edges {
          ...TimelineEdge
        }
        pageInfo {
          hasNextPage
          startCursor
          endCursor
        }
      }
    }
  }
  ${edge}
`;

const publishMutation = gql`
  mutation Publish($text: String!) {
    publishPost(input: { text: $text }) {
      post {
        id
        databaseId
        publishedAt
      }
      userErrors {
        message
      }
    }
  }
`;

const toldSubscription = gql`
  subscription Delivered {
    homeFeedEdges {
      ...TimelineEdge
    }
  }
  ${edge}
`;

// openClient returns a client of a world's viewer. The cache has one viewer without an id and
// merges all reads into it.
function openClient(world, socket) {
  const headers = { Authorization: `Bearer ${world.viewer}` };
  const http = new HttpLink({ uri: url, headers, fetch: world.fetch });
  return new ApolloClient({
    link: ApolloLink.split(({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION, new GraphQLWsLink(socket), http),
    cache: new InMemoryCache({
      typePolicies: {
        Viewer: { keyFields: [], fields: { homeFeed: relayStylePagination(['kinds']) } },
      },
    }),
  });
}

// prepend adds an edge above a list that does not have its post. relayStylePagination relies on
// pageInfo for the start of the list, so prepend updates it.
function prepend(result, edge) {
  const { homeFeed } = result.viewer;
  if (homeFeed.edges.some(({ node }) => node.id === edge.node.id)) return result;
  const edges = [edge, ...homeFeed.edges];
  const pageInfo = { ...homeFeed.pageInfo, startCursor: edge.cursor };
  return { ...result, viewer: { ...result.viewer, homeFeed: { ...homeFeed, edges, pageInfo } } };
}

// listen adds delivered posts above the list, and returns their ids as they arrive.
function listen(list) {
  const delivered = [];
  list.subscribeToMore({
    document: toldSubscription,
    updateQuery: (_, { previousData, complete, subscriptionData }) => {
      const edge = subscriptionData.data.homeFeedEdges;
      delivered.push(edge.node.databaseId);
      return complete ? prepend(previousData, edge) : undefined;
    },
  });
  return delivered;
}

test('Apollo Client reads a feed to its end while posts are published', async (t) => {
  const world = openWorld('@apollo/client');
  const socket = createClient({ url: socketURL, webSocketImpl: WebSocket, connectionParams: { Authorization: `Bearer ${world.viewer}` } });
  const client = openClient(world, socket);
  t.after(() => {
    client.stop();
    return socket.dispose();
  });
  world.publishOwn = async (text) => (await client.mutate({ mutation: publishMutation, variables: { text } })).data.publishPost;
  const home = { query: homeQuery, variables: { first: world.pageSize } };
  const list = client.watchQuery(home);
  list.subscribe({});
  const feed = () => client.readQuery(home).viewer.homeFeed;
  const shown = () => feed().edges.map(({ node }) => node.databaseId);
  const load = async (first) => {
    await (first ? list.refetch() : list.fetchMore({ variables: { after: feed().pageInfo.endCursor } }));
    return feed().pageInfo.hasNextPage;
  };
  await load(true);
  const delivered = listen(list);
  await world.hear(() => delivered.length > 0);

  // A list that is being replaced loses posts delivered meanwhile, so the scroll begins
  // before anything is published.
  await world.begin();
  await load(true);
  const pages = await scroll(world, () => load(false));
  await until('all new posts are delivered', () => world.published.every((content) => delivered.includes(content.databaseId)));
  const before = shown();

  await rest(load);
  finish('@apollo/client', world, { pages, shown: before, refreshed: shown() });
});
