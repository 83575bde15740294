// The worker of the mutations in writes.mjs: one job per post. It adds the post to the inboxes of
// the author and all followers, trims these, and marks the row of the outbox. Posts without a mark
// after ten seconds get another job, because a job may be lost between the commit and the queue.

import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { push } from './push.mjs';
import { settings } from './settings.mjs';

const patience = 10_000;
const connection = { url: settings.redis, maxRetriesPerRequest: null };
const pool = new pg.Pool({ connectionString: settings.database, max: settings.concurrency });
const redis = new Redis(settings.redis);

async function run({ id, author, ts }) {
  const { rows } = await pool.query({
    name: 'followers', text: `SELECT follower_id FROM follows WHERE followee_id = $1 AND active = 1`, values: [author],
  });
  await push(redis, [author, ...rows.map((row) => row.follower_id)], { id, ts }, settings.cap);
  await pool.query({ name: 'pushed', text: `UPDATE peer_outbox SET pushed_at = $2 WHERE post_id = $1`, values: [id, Date.now()] });
}

const queue = new Queue(settings.queue, { connection });
const worker = new Worker(settings.queue, (job) => run(job.data), { connection, concurrency: settings.concurrency });
worker.on('failed', (_, error) => console.error(error));

// The id of a job prevents a second one while the first waits.
async function requeue() {
  const { rows } = await pool.query(`SELECT post_id AS id, author_id AS author, published_at AS ts FROM peer_outbox
    WHERE pushed_at = 0 AND published_at < $1 LIMIT 100`, [Date.now() - patience]);
  await queue.addBulk(rows.map((row) => ({
    name: 'publish', data: { ...row, ts: Number(row.ts) }, opts: { jobId: `post-${row.id}`, removeOnComplete: true },
  })));
}
setInterval(() => requeue().catch(console.error), patience);

await worker.waitUntilReady();
console.log('ready');
