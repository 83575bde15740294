// An accounts service that owns names and pictures, as a subgraph. It counts its requests.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { graphql, parse } from 'graphql';

// accountsSchema returns the schema; overrides says that it takes the fields over from Tideline.
export const accountsSchema = (overrides) => {
  const override = overrides ? '@override(from: "tideline")' : '';
  return `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@override", "@shareable"])
    scalar URL
    type Query {
      account(databaseId: String!): User
      accounts(databaseIds: [String!]!): [User]!
    }
    type User @key(fields: "databaseId") {
      databaseId: String!
      name: String! ${override}
      avatarUrl: URL ${override}
      email: String
    }
    type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  `;
};

const account = (databaseId) => ({
  __typename: 'User',
  databaseId,
  name: `Account ${databaseId}`,
  avatarUrl: `https://accounts.example/${databaseId}.png`,
  email: `${databaseId}@accounts.example`,
});

const resolvers = {
  Query: {
    account: (_, { databaseId }) => account(databaseId),
    accounts: (_, { databaseIds }) => databaseIds.map(account),
  },
  User: { __resolveReference: ({ databaseId }) => account(databaseId) },
};

// startAccounts serves the schema until close is called.
export async function startAccounts(overrides) {
  const schema = buildSubgraphSchema({ typeDefs: parse(accountsSchema(overrides)), resolvers });
  let requests = 0;
  const server = createServer(async (request, response) => {
    requests++;
    const { query, variables, operationName } = JSON.parse(await text(request));
    const result = await graphql({ schema, source: query, variableValues: variables, operationName });
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(result));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/graphql`,
    // taken returns the number of requests since it was last called.
    taken: () => {
      const n = requests;
      requests = 0;
      return n;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
