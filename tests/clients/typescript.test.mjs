// The TypeScript client keeps home and live feeds current by their pages and changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { DeletePostDocument, EditPostDocument, EndLiveDocument, Entries, homeChanges, homePages, liveChanges, LiveEntries, livePages, PublishPostDocument, ScheduleLiveDocument, CancelLiveDocument, StartLiveDocument, Tideline } from './typescript/dist/index.js';

const client = new Tideline({ base: process.env.TIDELINE_URL.replace(/\/graphql$/, ''), token: () => process.env.TIDELINE_TOKEN });

// following reads all pages and then receives changes, until the test ends. It returns the entries.
async function following(t, entries, pages, changes) {
  let since;
  for await (const page of pages(client, { size: 100 })) {
    entries.add(page);
    since ??= page.syncToken;
  }
  const events = changes(client, since);
  let ended = false;
  const received = (async () => {
    for await (const page of events) {
      if (ended) return;
      assert.ok(entries.apply(page));
    }
  })();
  // Any change ends the wait of the iterator.
  t.after(async () => {
    ended = true;
    await change(PublishPostDocument, { text: 'the end' });
    await change(ScheduleLiveDocument, { title: 'the end', scheduledAt: soon() });
    await received;
  });
}

// change runs a mutation and returns its payload.
async function change(document, input) {
  const [payload] = Object.values(await client.ask(document, { input }));
  assert.deepEqual(payload.userErrors, []);
  return payload;
}

const soon = () => new Date(Date.now() + 600_000).toISOString();

async function until(holds) {
  while (!await holds()) await setTimeout(20);
}

test('homeChanges keeps a home feed current', async (t) => {
  const entries = new Entries();
  await following(t, entries, homePages, homeChanges);
  const textOf = (id) => entries.list().find(({ node }) => node.id === id)?.node.text;
  const { node: { id } } = (await change(PublishPostDocument, { text: 'one' })).feedEdge;
  await until(() => textOf(id) === 'one');
  await change(EditPostDocument, { postId: id, text: 'edited' });
  await until(() => textOf(id) === 'edited');
  await change(DeletePostDocument, { postId: id });
  await until(() => textOf(id) === undefined);
});

test('liveChanges keeps a live feed current', async (t) => {
  const sessions = new LiveEntries();
  await following(t, sessions, livePages, liveChanges);
  const schedule = async (title) => (await change(ScheduleLiveDocument, { title, scheduledAt: soon() })).liveSession.id;
  const stateOf = (id) => sessions.list().find(({ node }) => node.id === id)?.state;
  const [one, two] = [await schedule('one'), await schedule('two')];
  await until(() => stateOf(one) === 'UPCOMING' && stateOf(two) === 'UPCOMING');
  await change(StartLiveDocument, { liveSessionId: one });
  await until(() => stateOf(one) === 'LIVE');
  await change(EndLiveDocument, { liveSessionId: one });
  await change(CancelLiveDocument, { liveSessionId: two });
  await until(() => stateOf(one) === 'REPLAY' && stateOf(two) === undefined);

  // Demo sessions change meanwhile, so the fresh read may be ahead or behind.
  await until(async () => {
    const fresh = [];
    for await (const { edges } of livePages(client, { size: 100 })) fresh.push(...edges);
    const ids = (edges) => JSON.stringify(edges.map(({ state, node }) => [state, node.id]));
    return ids(fresh) === ids(sessions.list());
  });
});
