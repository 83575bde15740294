// The servers that the suites use, as the Go test tells of them in the environment:
// TIDELINE_BASE is one with demo data, TIDELINE_LIMITED_BASE one that lets nobody ask for
// much, TIDELINE_DEMO_LINK the path of a link that lets one browser sign in as demo users,
// and TIDELINE_TOKEN_SECRET the secret that both verify tokens with.
import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

export const base = process.env.TIDELINE_BASE;
export const limitedBase = process.env.TIDELINE_LIMITED_BASE;
export const demoLink = process.env.TIDELINE_DEMO_LINK;

const encoded = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');

// tokenOf returns a new token of a user, since signing out ends the one that signed in.
export function tokenOf(user) {
  const expires = Math.floor(Date.now() / 1_000) + 3_600;
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ sub: String(user), exp: expires, jti: randomUUID() })}`;
  return `${signed}.${createHmac('sha256', process.env.TIDELINE_TOKEN_SECRET).update(signed).digest('base64url')}`;
}

// ask sends a document as a user and returns its data.
export async function ask(user, query, variables) {
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${tokenOf(user)}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  assert.equal(errors, undefined, JSON.stringify(errors));
  return data;
}

const homeQuery = `query ($after: String) {
  viewer { homeFeed(first: 100, after: $after) { nodes { id text author { handle } } pageInfo { hasNextPage endCursor } } }
}`;

// homeFeed returns the first contents of a user's home feed, or all when there are fewer.
export async function homeFeed(user, atLeast) {
  const all = [];
  for (let after = null, more = true; more && all.length < atLeast; ) {
    const { nodes, pageInfo } = (await ask(user, homeQuery, { after })).viewer.homeFeed;
    all.push(...nodes);
    [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
  }
  return all;
}

// following returns some whom a user follows, latest first.
export async function following(user, first) {
  const { viewer } = await ask(user, 'query ($first: Int) { viewer { user { following(first: $first) { nodes { id databaseId handle name } } } } }', { first });
  return viewer.user.following.nodes;
}

// change runs a mutation that takes one input and returns its payload.
export async function change(user, field, type, input, selection = '') {
  const data = await ask(user, `mutation ($input: ${type}!) { ${field}(input: $input) { ${selection} userErrors { message } } }`, { input });
  assert.deepEqual(data[field].userErrors, []);
  return data[field];
}

// publish publishes a post and returns its global id.
export const publish = async (user, text) => (await change(user, 'publishPost', 'PublishPostInput', { text }, 'post { id }')).post.id;

// How long a test waits for anything, in milliseconds. It ends what hangs, and says nothing
// of speed.
export const limit = 300_000;

// until waits for a condition that nobody tells of.
export async function until(what, holds) {
  const deadline = Date.now() + limit;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `it did not happen in time that ${what}`);
    await setTimeout(20);
  }
}
