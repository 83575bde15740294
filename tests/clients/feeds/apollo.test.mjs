// Apollo Client: fetchMore into a list that relayStylePagination keeps, and what a
// subscription tells put above it by updateQuery.
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
  subscription Told {
    homeFeedEdges {
      ...TimelineEdge
    }
  }
  ${edge}
`;

// openClient returns a client of a world's viewer. There is one viewer, who has no id:
// what is read of him at different times is merged into one.
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

// prepend puts an edge above a list that has none of its content. The list then begins
// with this edge, and pageInfo must say so: relayStylePagination believes it.
function prepend(result, edge) {
  const { homeFeed } = result.viewer;
  if (homeFeed.edges.some(({ node }) => node.id === edge.node.id)) return result;
  const edges = [edge, ...homeFeed.edges];
  const pageInfo = { ...homeFeed.pageInfo, startCursor: edge.cursor };
  return { ...result, viewer: { ...result.viewer, homeFeed: { ...homeFeed, edges, pageInfo } } };
}

// listen has what is told put above the list, and returns the ids as they come.
function listen(list) {
  const told = [];
  list.subscribeToMore({
    document: toldSubscription,
    updateQuery: (_, { previousData, complete, subscriptionData }) => {
      const edge = subscriptionData.data.homeFeedEdges;
      told.push(edge.node.databaseId);
      return complete ? prepend(previousData, edge) : undefined;
    },
  });
  return told;
}

test('Apollo Client reads a feed to its end while contents are published', async (t) => {
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
  const told = listen(list);
  await world.hear(() => told.length > 0);

  // What is told while a list is being replaced goes with the old one, so the scroll
  // begins before anything is published.
  await world.begin();
  await load(true);
  const pages = await scroll(world, () => load(false));
  await until('everything new was told', () => world.published.every((content) => told.includes(content.databaseId)));
  const before = shown();

  await rest(load);
  finish('@apollo/client', world, { pages, shown: before, refreshed: shown() });
});
