// Shared by the suites of this folder: a viewer with a feed, authors who publish into it while a
// client scrolls, and the verification of what the client has read.
//
// The Go test makes a separate world for each client. FEED_WORLDS names a file with, by the
// client's name, the viewer's token, the authors' tokens, the page size and the decimal ids of the
// feed, newest first.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

// url is the server's address, and socketURL the same for WebSockets.
export const url = process.env.TIDELINE_URL;
export const socketURL = url.replace(/^http/, 'ws');

// The time limit of waits, which ends what hangs and does not judge speed, and the interval of
// polls, in milliseconds.
const patience = 300_000;
const interval = 20;

// ask sends a document with a token and returns its data.
export async function ask(token, query, variables) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  assert.equal(errors, undefined, JSON.stringify(errors));
  return data;
}

// byOrder compares posts in feed order: later first, and at equal times the larger id.
function byOrder(a, b) {
  if (a.publishedAt !== b.publishedAt) return a.publishedAt < b.publishedAt ? 1 : -1;
  return BigInt(a.databaseId) < BigInt(b.databaseId) ? 1 : -1;
}

// inOrder returns the ids of posts in feed order, duplicates included.
export const inOrder = (posts) => [...posts].sort(byOrder).map((post) => post.databaseId);

const publishPost = `mutation ($text: String!) {
  publishPost(input: { text: $text }) { post { databaseId publishedAt } userErrors { message } }
}`;

// publishAs publishes with a token and returns the payload.
const publishAs = async (token, text) => (await ask(token, publishPost, { text })).publishPost;

// World is one client's part of the server.
export class World {
  constructor({ viewer, authors, pageSize, posts }) {
    this.viewer = viewer; // the viewer's token
    this.authors = authors; // tokens of the followed users
    this.pageSize = pageSize;
    this.existing = posts; // the ids of the feed when the scroll began
    this.published = []; // the posts published later
    this.pages = []; // the ids of each page that the server has sent
    this.turn = 0;
    // publishOwn publishes as the viewer; a suite may replace it by its client.
    this.publishOwn = (text) => publishAs(viewer, text);
  }

  // publish publishes as the next author, or as the viewer in turn, and returns after the
  // server's response.
  async publish() {
    const text = `news ${++this.turn}`;
    const author = this.authors[this.turn % (this.authors.length + 1)];
    const { post, userErrors } = author ? await publishAs(author, text) : await this.publishOwn(text);
    assert.deepEqual(userErrors, []);
    this.published.push(post);
  }

  // note records the ids of a response to the client if it has a page of the feed.
  note({ data }) {
    const edges = data?.viewer?.homeFeed?.edges;
    if (edges) this.pages.push(edges.map((edge) => edge.node.databaseId));
  }

  // fetch is the fetch of clients, and records their responses.
  fetch = async (...request) => {
    const response = await fetch(...request);
    this.note(await response.clone().json());
    return response;
  };

  // begin marks the beginning of the scroll: earlier posts count as existing.
  async begin() {
    await this.settle();
    this.existing = this.feed();
    this.published = [];
    this.pages = [];
  }

  // feed returns the ids that the feed must have now.
  feed() {
    return [...inOrder(this.published), ...this.existing];
  }

  // settle waits until all published posts are in the feed, by polling.
  async settle() {
    await until('what was published is in the feed', async () => {
      const { viewer } = await ask(this.viewer, '{ viewer { homeFeed(first: 100) { nodes { databaseId } } } }');
      const top = new Set(viewer.homeFeed.nodes.map((node) => node.databaseId));
      return this.published.every((content) => top.has(content.databaseId));
    });
  }

  // hear publishes until listening returns true: a delivered post is the only sign that a
  // subscription is active.
  async hear(listening) {
    await until('the subscription delivers', async () => {
      await this.publish();
      return listening();
    });
  }
}

// until polls a condition.
export async function until(what, holds) {
  const deadline = Date.now() + patience;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `it did not happen in time that ${what}`);
    await setTimeout(interval);
  }
}

// openWorld returns the world of a client.
export function openWorld(client) {
  const worlds = JSON.parse(readFileSync(process.env.FEED_WORLDS, 'utf8'));
  assert.ok(worlds[client], `there is no world for ${client}`);
  return new World(worlds[client]);
}

// scroll loads pages by a client until there are no more, and returns the ids of each as the server
// sent them. It publishes one post while a page loads, and one before the next. loadPage(first)
// returns whether there is another page.
export async function scroll(world, loadPage) {
  for (let first = true, more = true; more; first = false) {
    [more] = await Promise.all([loadPage(first), world.publish()]);
    await world.publish();
    assert.ok(!more || world.pages.at(-1).length === world.pageSize, 'a page is not full, but the feed has more');
  }
  return [...world.pages];
}

// rest is a scroll without publishes.
export async function rest(loadPage) {
  for (let first = true; await loadPage(first); ) first = false;
}

// judge compares ids with the posts that existed when the scroll began. New posts may be above
// them, and nowhere else.
export function judge(world, ids) {
  const seen = new Set(ids);
  const old = new Set(world.existing);
  const news = new Set(world.published.map((content) => content.databaseId));
  const firstOld = ids.findIndex((id) => old.has(id));
  return {
    duplicates: ids.length - seen.size,
    gaps: world.existing.filter((id) => !seen.has(id)).length,
    misplaced: ids.filter((id, at) => !old.has(id) && !(news.has(id) && at < firstOld)).length,
    inOrder: isDeepStrictEqual(ids.filter((id) => old.has(id)), world.existing),
  };
}

// finish reports what a client has read and asserts that it is right. pages are those of the scroll
// as the server sent them. shown is the client's list at the end, with all new posts. refreshed is
// its list after loading everything again.
export function finish(name, world, { pages, shown, refreshed, version = installed(name) }) {
  const sent = judge(world, pages.flat());
  const kept = judge(world, shown);
  report(name, {
    client: `${name} ${version}`,
    pages: pages.length,
    posts: world.existing.length,
    published: world.published.length,
    duplicates: sent.duplicates + kept.duplicates,
    gaps: sent.gaps + kept.gaps,
  });
  const flawless = { duplicates: 0, gaps: 0, misplaced: 0, inOrder: true };
  assert.deepEqual(sent, flawless, "the server's pages");
  assert.deepEqual(kept, flawless, "the client's list");
  assert.deepEqual([...shown].sort(), world.feed().sort(), 'the list with new posts');
  assert.deepEqual(refreshed, world.feed(), 'the feed after loading it again');
}

// installed returns the version of an installed package.
const installed = (name) => createRequire(import.meta.url)(`${process.cwd()}/node_modules/${name}/package.json`).version;

// report prints what a client has read, and writes it to a file for the Go test.
function report(name, figures) {
  const text = JSON.stringify(figures);
  console.log(text);
  writeFileSync(path.join(process.env.FEED_REPORTS, `${name.replaceAll('/', '-')}.json`), text);
}
