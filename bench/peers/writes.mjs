// The mutations of the GraphQL peer, for inboxes in Redis. A publish stores the post and a row of
// the outbox in one transaction and enqueues a job for worker.mjs. Reactions and follows are stored
// with their counters. The tables are Tideline's and:
//
//   peer_outbox (post_id, author_id, published_at, pushed_at)   pushed_at is 0 until all inboxes have the post
//
// They do less than Tideline: there are no idempotency keys, budgets, limits of follows, or checks
// of blocks, and other processes get no news of changes.

import { Queue } from 'bullmq';
import { randomInt } from 'node:crypto';
import { member } from './push.mjs';
import { settings } from './settings.mjs';

export const mutationSchema = `
  type Mutation {
    publishPost(input: PublishPostInput!): MutationPayload!
    likePost(input: PostIdInput!): MutationPayload!
    followUser(input: UserIdInput!): MutationPayload!
  }
  input PublishPostInput { text: String! }
  input PostIdInput { postId: ID! }
  input UserIdInput { userId: ID! }
  type MutationPayload { userErrors: [UserError!]! }
  type UserError { code: String! message: String! }
`;

// Ids ascend with time: milliseconds since 2020 above 22 random bits.
const idEpoch = 1_577_836_800_000;
const newID = (ts) => String((BigInt(ts - idEpoch) << 22n) | BigInt(randomInt(1 << 22)));

const done = { userErrors: [] };
const refused = (code, message) => ({ userErrors: [{ code, message }] });

// rowID returns the number in a global id.
const rowID = (globalID) => Buffer.from(globalID, 'base64url').toString().split(':')[1];

async function inTransaction(pool, work) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work((name, text, values) => client.query({ name, text, values }));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

const foreignKeyViolation = '23503';

// orNotFound makes a missing user or post an error of the user.
const orNotFound = (resolve) => async (...args) => {
  try {
    return await resolve(...args);
  } catch (error) {
    if (error.code === foreignKeyViolation) return refused('NOT_FOUND', 'there is no such user or post');
    throw error;
  }
};

export function mutations(pool, redis) {
  const queue = new Queue(settings.queue, { connection: { url: settings.redis, maxRetriesPerRequest: null } });

  async function publishPost(_, { input }, { viewer }) {
    const ts = Date.now();
    const id = newID(ts);
    await inTransaction(pool, async (query) => {
      await query('publish', `INSERT INTO contents (id, author_id, kind, text, published_at) VALUES ($1, $2, 'POST', $3, $4)`, [id, viewer, input.text, ts]);
      await query('outbox', `INSERT INTO peer_outbox (post_id, author_id, published_at) VALUES ($1, $2, $3)`, [id, viewer, ts]);
      await query('count-post', `UPDATE user_counters SET posts = posts + 1 WHERE user_id = $1`, [viewer]);
    });
    await queue.add('publish', { id, author: viewer, ts }, { jobId: `post-${id}`, removeOnComplete: true });
    return done;
  }

  async function likePost(_, { input }, { viewer }) {
    const post = rowID(input.postId);
    const counters = await inTransaction(pool, async (query) => {
      const { rowCount } = await query('like', `INSERT INTO reactions (content_id, kind, user_id, created_at) VALUES ($1, 'like', $2, $3) ON CONFLICT DO NOTHING`, [post, viewer, Date.now()]);
      if (rowCount === 0) return null;
      const { rows } = await query('count-like', `INSERT INTO content_counters (content_id, likes) VALUES ($1, 1)
        ON CONFLICT (content_id) DO UPDATE SET likes = content_counters.likes + 1
        RETURNING likes, comments, reposts, favorites`, [post]);
      return rows[0];
    });
    if (counters !== null) {
      await redis.set(`peer:counters:${post}`, `${counters.likes},${counters.comments},${counters.reposts},${counters.favorites}`);
    }
    return done;
  }

  // A new follow also adds the followee's newest posts to the inbox.
  async function followUser(_, { input }, { viewer }) {
    const followee = rowID(input.userId);
    if (followee === viewer) return refused('INVALID', 'users cannot follow themselves');
    const isNew = await inTransaction(pool, async (query) => {
      const { rowCount } = await query('follow', `INSERT INTO follows (follower_id, followee_id, created_at, version, active) VALUES ($1, $2, $3, 0, 1)
        ON CONFLICT (follower_id, followee_id) DO UPDATE SET active = 1, created_at = excluded.created_at WHERE follows.active = 0`, [viewer, followee, Date.now()]);
      if (rowCount === 0) return false;
      await query('count-follow', `UPDATE user_counters SET following = following + (user_id = $1)::int, followers = followers + (user_id = $2)::int
        WHERE user_id IN ($1, $2)`, [viewer, followee]);
      return true;
    });
    if (isNew) await backfill(viewer, followee);
    return done;
  }

  async function backfill(viewer, followee) {
    const { rows } = await pool.query({
      name: 'backfill',
      text: `SELECT id, published_at FROM contents WHERE author_id = $1 AND deleted_at = 0 ORDER BY published_at DESC, id DESC LIMIT $2`,
      values: [followee, settings.cap],
    });
    if (rows.length === 0) return;
    const key = `peer:inbox:${viewer}`;
    await redis.zadd(key, ...rows.flatMap(({ id, published_at: ts }) => [ts, member(id)]));
    await redis.zremrangebyrank(key, 0, -settings.cap - 1);
  }

  return { publishPost: orNotFound(publishPost), likePost: orNotFound(likePost), followUser: orNotFound(followUser) };
}
