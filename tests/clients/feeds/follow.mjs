// The steps of a client with its own list, as in docs/realtime.md: subscribe, read from the top,
// add what is delivered, skip duplicates.
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

// Timeline is a list that grows by pages and by delivered posts.
class Timeline {
  constructor(world, client) {
    this.world = world;
    this.client = client;
    this.posts = new Map(); // by id
    this.delivered = new Set(); // ids
  }

  put({ node }) {
    this.posts.set(node.databaseId, node);
  }

  // listen adds delivered posts until the client is disposed of.
  async listen() {
    for await (const { data, errors } of this.client.iterate({ query: toldSubscription })) {
      assert.equal(errors, undefined, JSON.stringify(errors));
      this.put(data.homeFeedEdges);
      this.delivered.add(data.homeFeedEdges.node.databaseId);
    }
  }

  // load loads the first or next page, and returns whether there are more.
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
    return inOrder(this.posts.values());
  }
}

// follow reads the feed of a client's world to its end, over the connections of its subscription.
export async function follow(name, open) {
  const world = openWorld(name);
  const client = open(world.viewer);
  const home = new Timeline(world, client);
  const listening = home.listen();
  try {
    await world.hear(() => home.delivered.size > 0);
    await world.begin();
    const pages = await scroll(world, (first) => home.load(first));
    await until('all new posts are delivered', () => world.published.every((content) => home.delivered.has(content.databaseId)));

    const again = new Timeline(world, client);
    await rest((first) => again.load(first));
    finish(name, world, { pages, shown: home.shown(), refreshed: again.shown() });
  } finally {
    await client.dispose();
    await listening;
  }
}
