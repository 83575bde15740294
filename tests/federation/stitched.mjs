// Services that own posts, users and counters, and one that has feeds of ids, as subgraphs. A gateway
// that stitches them answers the same pages as Tideline. They read change records from a file, and
// answer after a millisecond:
//
//	node stitched.mjs RECORDS
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { graphql, parse } from 'graphql';

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])';

export const stitchedSchemas = {
  feeds: `${link}
    scalar DateTime
    type Query { viewer: Viewer! }
    type Viewer { homeFeed(first: Int, after: String): FeedConnection! }
    type FeedConnection { edges: [FeedEdge!]! pageInfo: PageInfo! }
    type FeedEdge { cursor: String! node: Post! }
    type PageInfo { hasNextPage: Boolean! endCursor: String }
    type Post @key(fields: "databaseId") { id: ID! databaseId: String! kind: String! publishedAt: DateTime! author: User! }
    type User @key(fields: "databaseId") { id: ID! databaseId: String! }`,
  posts: `${link}
    type Post @key(fields: "databaseId") { databaseId: String! text: String! }`,
  users: `${link}
    type User @key(fields: "databaseId") { databaseId: String! handle: String! name: String! avatarUrl: String }`,
  counters: `${link}
    type Post @key(fields: "databaseId") { databaseId: String! counters: PostCounters! }
    type PostCounters { likes: Int! comments: Int! reposts: Int! favorites: Int! }`,
};

// readRecords returns the records of a network by type.
async function readRecords(file) {
  const posts = new Map(), users = new Map(), likes = new Map(), followees = new Map(), outboxes = new Map();
  const add = (map, key, value) => (map.get(key) ?? map.set(key, []).get(key)).push(value);
  for (const line of (await readFile(file, 'utf8')).split('\n').filter(Boolean)) {
    const r = JSON.parse(line);
    switch (r.type) {
      case 'user': users.set(r.id, r); break;
      case 'follow': add(followees, r.follower, r.followee); break;
      case 'post': posts.set(r.id, r); add(outboxes, r.author, r); break;
      case 'counters': likes.set(r.post, r.likes); break;
    }
  }
  return { posts, users, likes, followees, outboxes };
}

const globalID = (type, id) => Buffer.from(`${type}:${id}`).toString('base64url');

function resolversOf(records) {
  const newestFirst = (a, b) => b.publishedAt.localeCompare(a.publishedAt) || Number(b.id) - Number(a.id);
  const feeds = new Map();
  const feedOf = (viewer) => {
    if (!feeds.has(viewer)) {
      const sources = [viewer, ...(records.followees.get(viewer) ?? [])];
      feeds.set(viewer, sources.flatMap((id) => records.outboxes.get(id) ?? []).sort(newestFirst));
    }
    return feeds.get(viewer);
  };
  const homeFeed = ({ first }, { viewer }) => {
    const all = feedOf(viewer), page = all.slice(0, first);
    const edges = page.map((p) => ({
      cursor: p.id,
      node: {
        id: globalID('Post', p.id), databaseId: p.id, kind: p.kind, publishedAt: p.publishedAt,
        author: { id: globalID('User', p.author), databaseId: p.author },
      },
    }));
    return { edges, pageInfo: { hasNextPage: all.length > first, endCursor: page.at(-1)?.id } };
  };
  const none = { comments: 0, reposts: 0, favorites: 0 };
  return {
    feeds: { Query: { viewer: () => ({ homeFeed }) } },
    posts: { Post: { __resolveReference: ({ databaseId }) => ({ databaseId, text: records.posts.get(databaseId).text }) } },
    users: { User: { __resolveReference: ({ databaseId }) => ({ ...records.users.get(databaseId), databaseId }) } },
    counters: {
      Post: { __resolveReference: ({ databaseId }) => ({ databaseId, counters: { likes: records.likes.get(databaseId) ?? 0, ...none } }) },
    },
  };
}

// viewerOf returns the subject of a token, which the gateway has checked.
const viewerOf = (authorization) =>
  authorization && JSON.parse(Buffer.from(authorization.split('.')[1], 'base64url')).sub;

async function serve(file) {
  const resolvers = resolversOf(await readRecords(file));
  const schemas = Object.fromEntries(
    Object.entries(stitchedSchemas).map(([name, sdl]) => [name, buildSubgraphSchema({ typeDefs: parse(sdl), resolvers: resolvers[name] })]),
  );
  const server = createServer(async (request, response) => {
    const { query, variables, operationName } = JSON.parse(await text(request));
    const contextValue = { viewer: viewerOf(request.headers.authorization) };
    const [result] = await Promise.all([
      graphql({ schema: schemas[request.url.slice(1)], source: query, variableValues: variables, operationName, contextValue }),
      setTimeout(1),
    ]);
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(result));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log(`serving on http://127.0.0.1:${server.address().port}`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await serve(process.argv[2]);
}
