// The documents of a live feed, as an application on Relay has them.
import { graphql } from './artifacts.js';

export const LiveSyncQuery = graphql`
  query LiveSyncQuery($first: Int!) {
    viewer {
      ...Live_sessions @arguments(first: $first)
      liveFeed(first: $first) {
        syncToken
      }
    }
  }
`;

export const sessions = graphql`
  fragment Live_sessions on Viewer
  @argumentDefinitions(first: { type: "Int!" }) {
    liveFeed(first: $first) @connection(key: "Live_liveFeed") {
      edges {
        cursor
        sortKey
        state
        node {
          id
          title
        }
      }
    }
  }
`;

export const LiveChangesSubscription = graphql`
  subscription LiveChangesSubscription($since: String!) {
    liveChanges(since: $since) {
      changes {
        kind
        liveSessionId
        edge {
          cursor
          sortKey
          state
          node {
            id
            title
          }
        }
      }
      syncToken
    }
  }
`;
