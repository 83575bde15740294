// The step that both fan-outs share: it adds a post to the inboxes of followers and trims these.
//
// Inboxes have the layout of inbox.mjs.

const batch = 250;

export const member = (id) => String(id).padStart(20, '0');

// push adds a post to inboxes of at most cap entries, in pipelines of 250 inboxes.
export async function push(redis, followers, { id, ts }, cap) {
  for (let from = 0; from < followers.length; from += batch) {
    const pipeline = redis.pipeline();
    for (const follower of followers.slice(from, from + batch)) {
      pipeline.zadd(`peer:inbox:${follower}`, ts, member(id));
      pipeline.zremrangebyrank(`peer:inbox:${follower}`, 0, -cap - 1);
    }
    const replies = await pipeline.exec();
    const failed = replies.find(([error]) => error !== null);
    if (failed) throw failed[0];
  }
}
