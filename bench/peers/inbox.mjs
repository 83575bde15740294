// The sources of a home feed: one function each, which takes a viewer's id, a number of entries,
// and the key { ts, id } before them (or null), and returns keys, newest first.
//
// The inbox in Redis has the layout that is best for this reader, not Tideline's:
//
//   peer:inbox:VIEWER     a sorted set: score = publish time, member = id as 20 digits
//   peer:counters:POST    likes, comments, reposts and favorites, with commas between
//
// The inbox in SQL is a table like Tideline's, whose index covers all columns:
//
//   peer_inbox (user_id, publish_time, content_id), unique
//
// Both have the viewer's own posts too, so that one lookup suffices.

// Ids order equal times. Entries of the cursor's own millisecond that were already shown are
// dropped here.
const after = (keys, at) =>
  at === null ? keys : keys.filter((k) => k.ts < at.ts || (k.ts === at.ts && k.id.padStart(20, '0') < at.id.padStart(20, '0')));

export function redisInbox(redis) {
  return async (viewer, count, at) => {
    const from = at === null ? '+inf' : at.ts;
    const flat = await redis.zrevrangebyscore(`peer:inbox:${viewer}`, from, '-inf', 'WITHSCORES', 'LIMIT', 0, count + (at === null ? 0 : 8));
    const keys = [];
    for (let i = 0; i < flat.length; i += 2) {
      keys.push({ id: String(BigInt(flat[i])), ts: Number(flat[i + 1]) });
    }
    return after(keys, at).slice(0, count);
  };
}

const fromRows = ({ rows }) => rows.map((r) => ({ id: r.id, ts: Number(r.ts) }));
const newest = { ts: '9223372036854775807', id: '9223372036854775807' };

export function sqlInbox(pool) {
  return async (viewer, count, at) =>
    fromRows(await pool.query({
      name: 'inbox',
      text: `SELECT content_id AS id, publish_time AS ts FROM peer_inbox
             WHERE user_id = $1 AND (publish_time, content_id) < ($2, $3)
             ORDER BY publish_time DESC, content_id DESC LIMIT $4`,
      values: [viewer, (at ?? newest).ts, (at ?? newest).id, count],
    }));
}

// The pull reads each author's newest posts from the index of the outboxes and merges them, which
// is much faster than sorting all their posts.
export function sqlPull(pool) {
  return async (viewer, count, at) =>
    fromRows(await pool.query({
      name: 'pull',
      text: `SELECT c.id, c.published_at AS ts
             FROM (SELECT followee_id AS id FROM follows WHERE follower_id = $1 AND active = 1
                   UNION SELECT $1::bigint) AS author
             CROSS JOIN LATERAL (
               SELECT id, published_at FROM contents
               WHERE author_id = author.id AND deleted_at = 0 AND (published_at, id) < ($2, $3)
               ORDER BY published_at DESC, id DESC LIMIT $4) AS c
             ORDER BY c.published_at DESC, c.id DESC LIMIT $4`,
      values: [viewer, (at ?? newest).ts, (at ?? newest).id, count],
    }));
}
