// The home feed as a Node.js developer would serve it: Fastify, Mercurius with its compiler (jit)
// and loaders. It responds to the load generator's document with the same fields, and does less
// than Tideline: it does not verify tokens, filters, limits and counts nothing. With PEER_QUEUE it
// has the mutations of writes.mjs.

import cluster from 'node:cluster';
import Fastify from 'fastify';
import { Redis } from 'ioredis';
import mercurius from 'mercurius';
import pg from 'pg';
import { cached, posts, redisCounters, sqlCounters, users } from './hydrate.mjs';
import { redisInbox, sqlInbox, sqlPull } from './inbox.mjs';
import { settings } from './settings.mjs';
import { mutationSchema, mutations } from './writes.mjs';

const schema = `
  type Query { viewer: Viewer }
  type Viewer { homeFeed(first: Int, after: String): FeedConnection! }
  type FeedConnection { edges: [FeedEdge!]! pageInfo: PageInfo! }
  type FeedEdge { cursor: String! node: Post! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type Post {
    id: ID! databaseId: String! kind: String! text: String! publishedAt: String!
    author: User! counters: PostCounters!
  }
  type PostCounters { likes: Int! comments: Int! reposts: Int! favorites: Int! }
  type User { id: ID! databaseId: String! handle: String! name: String! avatarUrl: String }
`;

const opaque = (text) => Buffer.from(text).toString('base64url');
const cursorOf = (key) => opaque(`${key.ts}:${key.id}`);

function keyOf(cursor) {
  if (!cursor) return null;
  const [ts, id] = Buffer.from(cursor, 'base64url').toString().split(':');
  return { ts: Number(ts), id };
}

function viewerOf(request) {
  const [, claims] = (request.headers.authorization ?? '').split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).sub;
}

function stores() {
  const pool = new pg.Pool({ connectionString: settings.database, max: 20 });
  if (settings.inbox === 'redis') {
    const redis = new Redis(settings.redis, { enableAutoPipelining: true });
    return { pool, redis, inbox: redisInbox(redis), counters: redisCounters(redis) };
  }
  const inbox = settings.inbox === 'sql' ? sqlInbox(pool) : sqlPull(pool);
  return { pool, inbox, counters: sqlCounters(pool) };
}

function serve() {
  const { pool, redis, inbox, counters } = stores();
  const writes = settings.queue !== '';
  const loadPosts = cached(posts(pool), settings.lru);
  const loadUsers = cached(users(pool), settings.lru);
  const app = Fastify();
  app.register(mercurius, {
    schema: writes ? schema + mutationSchema : schema,
    jit: 1,
    context: (request) => ({ viewer: viewerOf(request) }),
    resolvers: {
      Query: { viewer: () => ({}) },
      Viewer: {
        homeFeed: async (_, { first = 20, after }, { viewer }) => {
          const keys = await inbox(viewer, first + 1, keyOf(after));
          const edges = keys.slice(0, first).map((key) => ({ key, cursor: cursorOf(key) }));
          return { edges, pageInfo: { hasNextPage: keys.length > first, endCursor: edges.at(-1)?.cursor ?? null } };
        },
      },
      Post: {
        id: (post) => opaque(`Post:${post.id}`),
        databaseId: (post) => post.id,
        publishedAt: (post) => new Date(Number(post.published_at)).toISOString(),
      },
      User: {
        id: (user) => opaque(`User:${user.id}`),
        databaseId: (user) => user.id,
        avatarUrl: (user) => user.avatar_url,
      },
      ...(writes && { Mutation: mutations(pool, redis) }),
    },
    // By default Mercurius caches results of loaders during a request, which only costs
    // here: only authors are requested twice, and byID removes duplicates.
    loaders: {
      FeedEdge: { node: { loader: (queries) => loadPosts(queries.map(({ obj }) => obj.key.id)), opts: { cache: false } } },
      Post: {
        author: { loader: (queries) => loadUsers(queries.map(({ obj }) => obj.author_id)), opts: { cache: false } },
        counters: { loader: (queries) => counters(queries.map(({ obj }) => obj.id)), opts: { cache: false } },
      },
    },
  });
  return app.listen({ port: settings.port, host: '127.0.0.1' });
}

if (settings.processes > 1 && cluster.isPrimary) {
  let ready = 0;
  cluster.on('listening', () => {
    ready += 1;
    if (ready === settings.processes) console.log('ready');
  });
  for (let n = 0; n < settings.processes; n += 1) cluster.fork();
} else {
  await serve();
  if (!cluster.isWorker) console.log('ready');
}
