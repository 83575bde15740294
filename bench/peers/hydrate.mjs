// The data of entries: functions from ids to rows, in the order of the ids.

import { LRUCache } from 'lru-cache';

// byID requests each different id once.
async function byID(pool, name, text, ids) {
  const { rows } = await pool.query({ name, text, values: [[...new Set(ids)]] });
  const found = new Map(rows.map((r) => [r.id, r]));
  return ids.map((id) => found.get(id) ?? null);
}

export const posts = (pool) => (ids) =>
  byID(pool, 'posts', `SELECT id, author_id, kind, text, published_at FROM contents WHERE id = ANY($1::bigint[]) AND deleted_at = 0`, ids);

export const users = (pool) => (ids) =>
  byID(pool, 'users', `SELECT id, handle, name, avatar_url FROM users WHERE id = ANY($1::bigint[])`, ids);

// Posts without reactions have no row.
const none = { likes: 0, comments: 0, reposts: 0, favorites: 0 };

export const sqlCounters = (pool) => async (ids) => {
  const rows = await byID(pool, 'counters', `SELECT content_id AS id, likes, comments, reposts, favorites FROM content_counters WHERE content_id = ANY($1::bigint[])`, ids);
  return rows.map((row) => row ?? none);
};

export const redisCounters = (redis) => async (ids) => {
  const texts = await redis.mget(ids.map((id) => `peer:counters:${id}`));
  return texts.map((text) => {
    const [likes = 0, comments = 0, reposts = 0, favorites = 0] = text === null ? [] : text.split(',');
    return { likes, comments, reposts, favorites };
  });
};

// cached keeps the most recent results; none if max is 0.
export function cached(load, max) {
  if (max === 0) return load;
  const kept = new LRUCache({ max });
  return async (ids) => {
    const missing = ids.filter((id) => !kept.has(id));
    if (missing.length > 0) {
      const rows = await load(missing);
      rows.forEach((row, i) => row !== null && kept.set(missing[i], row));
    }
    return ids.map((id) => kept.get(id) ?? null);
  };
}
