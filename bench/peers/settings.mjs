// The environment variables of all peers:
//
//   PEER_DATABASE_URL  PostgreSQL with Tideline's tables
//   PEER_REDIS_URL     the Redis that has the peers' own keys, as inbox.mjs lists them
//   PEER_PORT          where to listen; the servers of a feed only
//   PEER_INBOX         redis, sql or pull: where a home feed is read from
//   PEER_LRU           how many posts and authors each process keeps; 0 for none
//   PEER_PROCESSES     how many processes answer; they share the port
//   PEER_CONCURRENCY   how many jobs a worker of the fan-out runs at once
//   PEER_QUEUE         the BullMQ queue of publishes; without it there are no mutations
//   PEER_CAP           the entries that an inbox keeps
export const settings = {
  database: process.env.PEER_DATABASE_URL,
  redis: process.env.PEER_REDIS_URL,
  port: Number(process.env.PEER_PORT ?? 0),
  inbox: process.env.PEER_INBOX ?? 'redis',
  lru: Number(process.env.PEER_LRU ?? 0),
  processes: Number(process.env.PEER_PROCESSES ?? 1),
  concurrency: Number(process.env.PEER_CONCURRENCY ?? 8),
  queue: process.env.PEER_QUEUE ?? '',
  cap: Number(process.env.PEER_CAP ?? 300),
};
