// graphql-codegen: the typed documents of clients/typescript, which the server trusts by their
// manifest. Requests have only their ids.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Tideline } from '../typescript/dist/client.js';
import { HomeFeedDocument, HomeFeedUpDocument } from '../typescript/dist/generated/graphql.js';
import { homeFeed } from '../typescript/dist/index.js';
import { finish, openWorld, rest, scroll, url } from './world.mjs';

const name = '@graphql-codegen/client-preset';
const { devDependencies } = JSON.parse(readFileSync(new URL('../typescript/package.json', import.meta.url)));

// Timeline is a list that grows at both ends.
class Timeline {
  constructor(client, pageSize) {
    Object.assign(this, { client, pageSize, edges: [] });
  }

  async read(document, variables) {
    return (await this.client.ask(document, variables)).viewer.homeFeed;
  }

  // down loads the first page, or the next one, and returns whether there are more.
  async down() {
    const after = this.edges.at(-1)?.cursor ?? null;
    const { edges, pageInfo } = await this.read(HomeFeedDocument, { first: this.pageSize, after });
    this.edges.push(...edges);
    return pageInfo.hasNextPage;
  }

  // up loads what is new, nearest first, and returns whether there is more.
  async up() {
    const { edges, pageInfo } = await this.read(HomeFeedUpDocument, { last: this.pageSize, before: this.edges[0].cursor });
    this.edges.unshift(...edges);
    return pageInfo.hasPreviousPage;
  }
}

const idsOf = (edges) => edges.map(({ node }) => node.databaseId);

test('documents by graphql-codegen read a feed to its end while posts are published', async () => {
  const world = openWorld(name);
  const sent = [];
  const fetch = (address, request) => {
    sent.push(JSON.parse(request.body));
    return world.fetch(address, request);
  };
  const client = new Tideline({ base: new URL('/', url).href, token: () => world.viewer, fetch });
  const home = new Timeline(client, world.pageSize);
  await world.begin();
  const pages = await scroll(world, () => home.down());
  await world.settle();
  await rest(() => home.up());

  const again = [];
  for await (const edges of homeFeed(client, { size: world.pageSize })) again.push(...edges);
  finish(name, world, { pages, shown: idsOf(home.edges), refreshed: idsOf(again), version: devDependencies[name] });
  assert.deepEqual(sent.filter(({ query, documentId }) => query || !documentId), [], 'documents that were sent as text');
});
