// What a client does that keeps its list itself, as docs/realtime.md has it: subscribe,
// read from the top, put in what is told, pass over what it has.
import assert from 'node:assert/strict';
import { finish, inOrder, openWorld, rest, scroll, until } from './world.mjs';

const homeQuery = `query ($first: Int!, $after: String) {
  viewer {
    homeFeed(first: $first, after: $after) {
      edges { cursor node { databaseId publishedAt } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`;

const toldSubscription = 'subscription { homeFeedEdges { cursor node { databaseId publishedAt } } }';

// Timeline is a list that is read by pages and told of what is new.
class Timeline {
  constructor(world, client) {
    this.world = world;
    this.client = client;
    this.contents = new Map(); // by id
    this.told = new Set(); // ids
  }

  put({ node }) {
    this.contents.set(node.databaseId, node);
  }

  // listen puts in what is told until the client is disposed of.
  async listen() {
    for await (const { data, errors } of this.client.iterate({ query: toldSubscription })) {
      assert.equal(errors, undefined, JSON.stringify(errors));
      this.put(data.homeFeedEdges);
      this.told.add(data.homeFeedEdges.node.databaseId);
    }
  }

  // load loads the first page, or the next, and returns whether there are more.
  async load(first) {
    const variables = { first: this.world.pageSize, after: first ? null : this.endCursor };
    for await (const result of this.client.iterate({ query: homeQuery, variables })) {
      assert.equal(result.errors, undefined, JSON.stringify(result.errors));
      this.world.note(result);
      const { edges, pageInfo } = result.data.viewer.homeFeed;
      edges.forEach((edge) => this.put(edge));
      this.endCursor = pageInfo.endCursor;
      return pageInfo.hasNextPage;
    }
  }

  shown() {
    return inOrder(this.contents.values());
  }
}

// follow reads the feed of the world of a package's client to its end, over the same
// connections that its subscription comes by.
export async function follow(name, open) {
  const world = openWorld(name);
  const client = open(world.viewer);
  const home = new Timeline(world, client);
  const listening = home.listen();
  try {
    await world.hear(() => home.told.size > 0);
    await world.begin();
    const pages = await scroll(world, (first) => home.load(first));
    await until('everything new was told', () => world.published.every((content) => home.told.has(content.databaseId)));

    const anew = new Timeline(world, client);
    await rest((first) => anew.load(first));
    finish(name, world, { pages, shown: home.shown(), refreshed: anew.shown() });
  } finally {
    await client.dispose();
    await listening;
  }
}
