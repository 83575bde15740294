import { graphql } from 'react-relay';

/** The home feed from the top or after a cursor. */
export const homeQuery = graphql`
  query homeQuery($first: Int!, $after: String) {
    viewer { ...HomeTimeline_viewer @arguments(first: $first, after: $after) }
  }
`;
