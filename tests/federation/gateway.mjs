// Hive Gateway over the services of stitched.mjs, as a server:
//
//	node gateway.mjs SERVICES-URL
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { compose } from './compose.mjs';
import { stitchedSchemas } from './stitched.mjs';

const base = process.argv[2];
const subgraphs = Object.fromEntries(Object.entries(stitchedSchemas).map(([name, schema]) => [name, { schema, url: `${base}/${name}` }]));
const runtime = createGatewayRuntime({
  supergraph: compose('@theguild/federation-composition', subgraphs),
  logging: false,
  propagateHeaders: {
    fromClientToSubgraphs: ({ request }) => ({ authorization: request.headers.get('authorization') }),
  },
});
const server = createServer(runtime);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(`ready at 127.0.0.1:${server.address().port}`);
