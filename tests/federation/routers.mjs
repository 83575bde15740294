// The routers. Each executes operations of a viewer, whose token it forwards to the subgraphs.
import { createHash } from 'node:crypto';
import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { parse } from 'graphql';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

// apolloGateway is @apollo/gateway without a server.
export async function apolloGateway(supergraphSdl) {
  const gateway = new ApolloGateway({
    supergraphSdl,
    logger: quiet,
    buildService: ({ url }) =>
      new RemoteGraphQLDataSource({
        url,
        willSendRequest: ({ request, context }) => {
          if (context.token) {
            request.http.headers.set('authorization', `Bearer ${context.token}`);
          }
        },
      }),
  });
  const { schema, executor } = await gateway.load();
  return {
    execute: async (query, variables, token) => {
      const result = await executor({
        request: { query, variables },
        document: parse(query),
        queryHash: createHash('sha256').update(query).digest('hex'),
        operationName: null,
        context: { token },
        cache: new Map(),
        metrics: {},
        logger: quiet,
        schema,
      });
      return JSON.parse(JSON.stringify(result));
    },
    close: () => gateway.stop(),
  };
}

const headersOf = (token) => ({
  'Content-Type': 'application/json',
  ...(token ? { Authorization: `Bearer ${token}` } : {}),
});

// hiveGateway is Hive Gateway in this process.
export async function hiveGateway(supergraph) {
  const runtime = createGatewayRuntime({
    supergraph,
    logging: false,
    maskedErrors: false,
    propagateHeaders: {
      fromClientToSubgraphs: ({ request }) => {
        const authorization = request.headers.get('authorization');
        return authorization ? { authorization } : {};
      },
    },
  });
  const post = (query, variables, token, accept) =>
    runtime.fetch('http://router.example/graphql', {
      method: 'POST',
      headers: { ...headersOf(token), Accept: accept },
      body: JSON.stringify({ query, variables }),
    });
  return {
    execute: async (query, variables, token) => (await post(query, variables, token, 'application/json')).json(),
    // subscribe yields the results of a subscription.
    subscribe: async function* (query, variables, token) {
      const response = await post(query, variables, token, 'text/event-stream');
      let rest = '';
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        const events = (rest + chunk).split('\n\n');
        rest = events.pop();
        for (const event of events) {
          const data = event.match(/^data: ?(.+)$/m);
          if (data) {
            yield JSON.parse(data[1]);
          }
        }
      }
    },
    close: () => runtime[Symbol.asyncDispose]?.(),
  };
}
