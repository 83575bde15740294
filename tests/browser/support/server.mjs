// The servers of the suites, from the environment that the Go test sets: TIDELINE_BASE has demo
// data, TIDELINE_LIMITED_BASE the lowest rate limit and task pages
// that change queues, TIDELINE_DEMO_LINK is the path of a demo
// link, TIDELINE_TOKEN_SECRET the secret of both servers.
import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

export const base = process.env.TIDELINE_BASE;
export const limitedBase = process.env.TIDELINE_LIMITED_BASE;
export const demoLink = process.env.TIDELINE_DEMO_LINK;

const encoded = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');

// tokenOf returns a new token of a user, with further claims, because signing out revokes a token.
export function tokenOf(user, claims = {}) {
  const expires = Math.floor(Date.now() / 1_000) + 3_600;
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ sub: String(user), exp: expires, jti: randomUUID(), ...claims })}`;
  return `${signed}.${createHmac('sha256', process.env.TIDELINE_TOKEN_SECRET).update(signed).digest('base64url')}`;
}

// ask sends a document as a user, with further claims in their token, and returns its data.
export async function ask(user, query, variables, claims) {
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${tokenOf(user, claims)}` },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  assert.equal(errors, undefined, JSON.stringify(errors));
  return data;
}

const homeQuery = `query ($after: String) {
  viewer { homeFeed(first: 100, after: $after) { nodes { id text author { handle } } pageInfo { hasNextPage endCursor } } }
}`;

// homeFeed returns the first posts of a user's home feed.
export async function homeFeed(user, atLeast) {
  const all = [];
  for (let after = null, more = true; more && all.length < atLeast; ) {
    const { nodes, pageInfo } = (await ask(user, homeQuery, { after })).viewer.homeFeed;
    all.push(...nodes);
    [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
  }
  return all;
}

// following returns the first users that a user follows, latest first.
export async function following(user, first) {
  const { viewer } = await ask(user, 'query ($first: Int) { viewer { user { following(first: $first) { nodes { id databaseId handle name } } } } }', { first });
  return viewer.user.following.nodes;
}

// change runs a mutation with an input, and perhaps further arguments, and returns its payload.
export async function change(user, field, type, input, selection = '', claims = {}, more = '') {
  const data = await ask(user, `mutation ($input: ${type}!) { ${field}(input: $input${more}) { ${selection} userErrors { message } } }`, { input }, claims);
  assert.deepEqual(data[field].userErrors, []);
  return data[field];
}

// publish publishes a post and returns its global id.
export const publish = async (user, text) => (await change(user, 'publishPost', 'PublishPostInput', { text }, 'post { id }')).post.id;

// The timeout of every wait, in milliseconds. It ends hanging tests and does not judge speed.
export const limit = 300_000;

// until polls a condition.
export async function until(what, holds) {
  const deadline = Date.now() + limit;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `it did not happen in time that ${what}`);
    await setTimeout(20);
  }
}
