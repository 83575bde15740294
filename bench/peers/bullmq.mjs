// The fan-out of posts to the followers of one author, by BullMQ:
//
//   node bullmq.mjs AUTHOR POSTS SLICE CAP
//
// It enqueues a job for each post and slice of followers. The worker does the same as a push
// task of Tideline: it reads the followers of the slice from SQL, adds the post to their inboxes in
// pipelined batches, and trims those to the cap. It prints the entries written per second, from the
// first job enqueued to the last one done.
//
// It does less than Tideline: it stores neither a plan nor progress, and its inboxes have no
// header.

import { Queue, QueueEvents, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { push } from './push.mjs';
import { settings } from './settings.mjs';

const [author, posts, slice, cap] = process.argv.slice(2).map(Number);
const connection = { url: settings.redis, maxRetriesPerRequest: null };
const queueName = `fanout-${process.pid}`;

const pool = new pg.Pool({ connectionString: settings.database, max: settings.concurrency });
const redis = new Redis(settings.redis);

async function run({ id, ts, first, last }) {
  const { rows } = await pool.query({
    name: 'slice',
    text: `SELECT follower_id FROM follows
           WHERE followee_id = $1 AND active = 1 AND follower_id BETWEEN $2 AND $3 ORDER BY follower_id`,
    values: [author, first, last],
  });
  await push(redis, rows.map((row) => row.follower_id), { id, ts }, cap);
  return rows.length;
}

// slices returns the first and last follower of each slice, as in Tideline's plans.
async function slices() {
  const { rows } = await pool.query(
    `SELECT min(follower_id) AS first, max(follower_id) AS last FROM (
       SELECT follower_id, (row_number() OVER (ORDER BY follower_id) - 1) / $2::int AS n
       FROM follows WHERE followee_id = $1 AND active = 1) AS numbered
     GROUP BY n ORDER BY n`, [author, slice]);
  return rows;
}

const queue = new Queue(queueName, { connection });
const events = new QueueEvents(queueName, { connection });
await events.waitUntilReady();
const worker = new Worker(queueName, (job) => run(job.data), { connection, concurrency: settings.concurrency });
await worker.waitUntilReady();

const plan = await slices();
let entries = 0;
let open = posts * plan.length;
const done = new Promise((resolve, reject) => {
  worker.on('completed', (_, count) => {
    entries += count;
    open -= 1;
    if (open === 0) resolve();
  });
  worker.on('failed', (_, error) => reject(error));
});
const began = performance.now();
for (let n = 0; n < posts; n += 1) {
  const ts = Date.now();
  await queue.addBulk(plan.map(({ first, last }) => ({
    name: 'push', data: { id: ts * 1000 + n, ts, first, last }, opts: { removeOnComplete: true },
  })));
}
await done;
console.log((entries / (performance.now() - began)) * 1000);
process.exit(0);
