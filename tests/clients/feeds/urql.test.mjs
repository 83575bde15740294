// urql: the list that relayPagination merges from all cached pages, which grows downward by first
// and after, and upward by last and before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, fetchExchange, gql } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { finish, openWorld, rest, scroll, url } from './world.mjs';

const homeQuery = gql`
  query Home($first: Int, $after: String, $last: Int, $before: String) {
    viewer {
      homeFeed(first: $first, after: $after, last: $last, before: $before) {
        edges {
          cursor
          node {
            id
            databaseId
            text
          }
        }
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
      }
    }
  }
`;

// Objects without an id are stored with their parent.
const embedded = () => null;

// openClient returns a client of a world's viewer with an empty cache.
function openClient(world) {
  const cache = cacheExchange({
    keys: { Viewer: embedded, FeedConnection: embedded, FeedEdge: embedded, PageInfo: embedded },
    // Outwards: pages by last and before are above the others.
    resolvers: { Viewer: { homeFeed: relayPagination({ mergeMode: 'outwards' }) } },
  });
  return new Client({
    url,
    exchanges: [cache, fetchExchange],
    preferGetMethod: false,
    fetch: world.fetch,
    fetchOptions: { headers: { Authorization: `Bearer ${world.viewer}` } },
  });
}

// Timeline is a list that grows at both ends.
class Timeline {
  constructor(world) {
    this.client = openClient(world);
    this.pageSize = world.pageSize;
  }

  // read asks for a page and keeps the whole list that the cache makes of all pages.
  async read(variables) {
    const { data, error } = await this.client.query(homeQuery, variables).toPromise();
    assert.equal(error, undefined, String(error));
    this.list = data.viewer.homeFeed;
  }

  // down loads the first page, or the next one, and returns whether there are more.
  async down(first) {
    await this.read({ first: this.pageSize, ...(first ? {} : { after: this.list.pageInfo.endCursor }) });
    return this.list.pageInfo.hasNextPage;
  }

  // up loads what is new, nearest first, and returns whether there is more.
  async up() {
    await this.read({ last: this.pageSize, before: this.list.pageInfo.startCursor });
    return this.list.pageInfo.hasPreviousPage;
  }

  shown() {
    return this.list.edges.map(({ node }) => node.databaseId);
  }
}

test('urql reads a feed to its end while posts are published', async () => {
  const world = openWorld('@urql/exchange-graphcache');
  const home = new Timeline(world);
  await world.begin();
  const pages = await scroll(world, (first) => home.down(first));
  await world.settle();
  await rest(() => home.up());

  const again = new Timeline(world);
  await rest((first) => again.down(first));
  finish('@urql/exchange-graphcache', world, { pages, shown: home.shown(), refreshed: again.shown() });
});
