// The documents of a home timeline, as an application on Relay has them.
import { graphql } from './artifacts.js';

export const HomeQuery = graphql`
  query HomeQuery($first: Int!) {
    viewer {
      ...Home_timeline @arguments(first: $first)
    }
  }
`;

// Its __id is what @prependEdge wants to know: which list.
export const timeline = graphql`
  fragment Home_timeline on Viewer
  @refetchable(queryName: "HomeNextQuery")
  @argumentDefinitions(first: { type: "Int!" }, after: { type: "String" }) {
    homeFeed(first: $first, after: $after) @connection(key: "Home_homeFeed") {
      __id
      edges {
        cursor
        sortKey
        node {
          id
          databaseId
          text
          author {
            handle
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;

export const HomePublishMutation = graphql`
  mutation HomePublishMutation($input: PublishPostInput!, $connections: [ID!]!) {
    publishPost(input: $input) {
      post {
        databaseId
        publishedAt
      }
      feedEdge @prependEdge(connections: $connections) {
        cursor
        sortKey
        node {
          id
          databaseId
          text
          author {
            handle
          }
        }
      }
      userErrors {
        message
      }
    }
  }
`;

export const HomeSubscription = graphql`
  subscription HomeSubscription($connections: [ID!]!) {
    homeFeedEdges @prependEdge(connections: $connections) {
      cursor
      sortKey
      node {
        id
        databaseId
        text
        author {
          handle
        }
      }
    }
  }
`;

export const HomeSyncQuery = graphql`
  query HomeSyncQuery($first: Int!) {
    viewer {
      ...Home_timeline @arguments(first: $first)
      homeFeed(first: $first) {
        syncToken
      }
    }
  }
`;

export const HomeChangesSubscription = graphql`
  subscription HomeChangesSubscription($since: String!) {
    homeChanges(since: $since) {
      changes {
        kind
        postId
        edge {
          cursor
          sortKey
          node {
            id
            databaseId
            text
            author {
              handle
            }
          }
        }
      }
      syncToken
    }
  }
`;
