// The live page, while sessions change.
import assert from 'node:assert/strict';
import { group, listed } from '../support/live.mjs';
import { ask, change, following, until } from '../support/server.mjs';
import { withinASecond } from '../support/times.mjs';
import { visit } from '../support/visitor.mjs';

const reader = 15;

const schedule = async (host, title, inSeconds = 60) => {
  const input = { title, scheduledAt: new Date(Date.now() + 1000 * inSeconds).toISOString() };
  return (await change(host, 'scheduleLive', 'ScheduleLiveInput', input, 'liveSession { id }')).liveSession.id;
};
const start = (host, liveSessionId) => change(host, 'startLive', 'LiveIdInput', { liveSessionId });
const end = (host, liveSessionId, replayUrl = null) => change(host, 'endLive', 'EndLiveInput', { liveSessionId, replayUrl });
const cancel = (host, liveSessionId) => change(host, 'cancelLive', 'LiveIdInput', { liveSessionId });
const move = (host, liveSessionId, inSeconds) =>
  change(host, 'rescheduleLive', 'RescheduleLiveInput', { liveSessionId, scheduledAt: new Date(Date.now() + 1000 * inSeconds).toISOString() });

// hostOf returns a host that a user follows.
const hostOf = async (user) => Number((await following(user, 1))[0].databaseId);

const titled = (page, name, title) => group(page, name).getByRole('listitem', { name: title, exact: true });

visit('a session starts and ends on the page', { user: reader }, async (page, visitor) => {
  const host = await hostOf(reader);
  const id = await schedule(host, 'The tide comes in', 90);
  await page.clock.install();
  await page.goto('/live');
  const session = page.getByRole('listitem', { name: 'The tide comes in' });
  const inGroup = (name) => titled(page, name, 'The tide comes in');
  await inGroup('Upcoming').getByText(/^Starts in 1 min/).waitFor();
  await page.clock.runFor(40_000);
  await session.getByText(/^Starts in \d\d s/).waitFor();
  await visitor.picture('client-live-upcoming');

  await start(host, id);
  await inGroup('Live now').getByText(/^Live for/).last().waitFor();
  await visitor.picture('client-live-on-air');

  await end(host, id);
  await inGroup('Live now').waitFor({ state: 'detached' });
  await inGroup('Past').getByText(/^Ended/).waitFor();
});

visit('the sidebar lists a session while it is live', { user: reader }, async (page) => {
  const host = await hostOf(reader);
  await page.goto('/');
  // Of live sessions, the sidebar lists those that started last.
  const session = page.getByRole('region', { name: 'Live and upcoming' }).getByText('Low tide on air');
  const id = await schedule(host, 'Low tide on air');
  await start(host, id);
  await session.waitFor();
  await end(host, id);
  await session.waitFor({ state: 'detached' });
});

visit('changes of sessions show within a second', { user: reader }, async (page, visitor) => {
  const host = await hostOf(reader);
  const first = await schedule(host, 'The first one');
  await page.goto('/live');
  await titled(page, 'Upcoming', 'The first one').waitFor();
  // The subscription may begin after the page; until then, changes wait for it.
  await cancel(host, first);
  await titled(page, 'Upcoming', 'The first one').waitFor({ state: 'detached' });

  const ids = new Map();
  const changes = ['One', 'Two', 'Three'].flatMap((title, i) => [
    [async () => ids.set(title, await schedule(host, title, 60 + i)), () => titled(page, 'Upcoming', title).waitFor()],
    [() => start(host, ids.get(title)), () => titled(page, 'Live now', title).waitFor()],
  ]);
  await withinASecond('planned and started sessions', reader, changes);
  const orderOf = (name) => group(page, name).locator('.live-title').allTextContents();
  assert.deepEqual((await orderOf('Live now')).filter((title) => ids.has(title)), ['Three', 'Two', 'One']);
  await visitor.picture('client-live-changes');

  const ended = ['One', 'Two', 'Three'].map((title) => [() => end(host, ids.get(title)), () => titled(page, 'Past', title).waitFor()]);
  await withinASecond('ended sessions', reader, ended);
  for (const title of ids.keys()) assert.equal(await titled(page, 'Live now', title).count(), 0);

  const removed = await Promise.all(['Four', 'Five', 'Six'].map((title) => schedule(host, title)));
  await titled(page, 'Upcoming', 'Six').waitFor();
  await withinASecond('canceled sessions', reader, ['Four', 'Five', 'Six'].map((title, i) => [
    () => cancel(host, removed[i]), () => titled(page, 'Upcoming', title).waitFor({ state: 'detached' }),
  ]));
});

visit('a page that was offline is right without a reload', { user: reader }, async (page, visitor) => {
  visitor.expects(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket/);
  const host = await hostOf(reader);
  const names = ['Starts meanwhile', 'Ends meanwhile', 'Is canceled meanwhile', 'Moves meanwhile'];
  const [starts, ends, canceled, moves] = await Promise.all(names.map((title, i) => schedule(host, title, 300 + i)));
  await start(host, ends);
  await page.goto('/live');
  await titled(page, 'Live now', 'Ends meanwhile').waitFor();
  await titled(page, 'Upcoming', 'Moves meanwhile').waitFor();
  await page.evaluate(() => { window.sameDocument = true; });

  await visitor.context.setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await start(host, starts);
  await end(host, ends);
  await cancel(host, canceled);
  await move(host, moves, 30);
  await schedule(host, 'Is planned meanwhile', 40);
  assert.ok(await titled(page, 'Live now', 'Ends meanwhile').isVisible());
  await visitor.context.setOffline(false);

  await titled(page, 'Live now', 'Starts meanwhile').waitFor();
  await titled(page, 'Past', 'Ends meanwhile').waitFor();
  await titled(page, 'Upcoming', 'Is planned meanwhile').waitFor();
  await titled(page, 'Upcoming', 'Is canceled meanwhile').waitFor({ state: 'detached' });
  await until('the list has the order of the server', async () => {
    const { viewer } = await ask(reader, '{ viewer { liveFeed(first: 20) { nodes { title } } } }');
    const titles = await page.locator('.live-list .live-title').allTextContents();
    return viewer.liveFeed.nodes.every(({ title }, i) => title === titles[i]);
  });
  assert.ok(await page.evaluate(() => window.sameDocument));
  await visitor.picture('client-live-after-offline');
});

visit('a session keeps its place on a scrolled page', { user: reader }, async (page) => {
  const host = await hostOf(reader);
  const id = await schedule(host, 'Stays in its place');
  await page.goto('/live');
  const session = titled(page, 'Upcoming', 'Stays in its place');
  await session.waitFor();
  await page.mouse.move(640, 450);
  await page.mouse.wheel(0, 200);
  await page.waitForFunction(() => scrollY > 0);
  await start(host, id);
  await session.getByText('Live', { exact: true }).waitFor();
  await page.getByText('Sessions have changed.').waitFor();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await titled(page, 'Live now', 'Stays in its place').waitFor();
  assert.equal(await session.count(), 0);

  // At the top, the list takes its new order by itself.
  await page.mouse.wheel(0, 200);
  await page.waitForFunction(() => scrollY > 0);
  await end(host, id);
  await page.getByText('Sessions have changed.').waitFor();
  await page.mouse.wheel(0, -2000);
  await titled(page, 'Live now', 'Stays in its place').waitFor({ state: 'detached' });
});

visit('the form shows why scheduling failed', { user: 16 }, async (page, visitor) => {
  await page.goto('/live');
  await page.getByRole('button', { name: 'Schedule a session' }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule a live session' });
  await dialog.getByLabel('Title').fill('   ');
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await dialog.getByRole('alert').getByText(/^Could not schedule the session\. /).waitFor();
  await visitor.picture('client-not-planned');
  const begins = dialog.getByLabel('Start time');
  await begins.fill('2020-01-01T10:00');
  assert.ok(await begins.evaluate((field) => field.validity.rangeUnderflow), 'a moment that is past can be chosen');
});

visit('a host schedules, starts and ends a session', { user: 16 }, async (page) => {
  await page.goto('/live');
  await page.getByRole('button', { name: 'Schedule a session' }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule a live session' });
  await dialog.getByLabel('Title').fill('My own session');
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  const session = page.getByRole('listitem', { name: 'My own session' });
  await listed(page, session);
  await session.getByRole('button', { name: 'Go live' }).click();
  await session.getByRole('button', { name: 'End' }).click();
  await listed(page, session.getByText('Replay', { exact: true }));
});

visit('every past session has its own row', { user: reader }, async (page) => {
  const host = await hostOf(reader);
  const titles = ['Over before', 'Over after'];
  for (const title of titles) {
    const id = await schedule(host, title);
    await start(host, id);
    await end(host, id, 'https://replays.example/1');
  }
  await page.goto('/live');
  const over = group(page, 'Past');
  for (const title of titles) await listed(page, over.getByRole('listitem', { name: title }).getByRole('link', { name: 'Watch replay' }));
  const { width } = await over.boundingBox();
  for (const session of await over.getByRole('listitem').all()) {
    assert.equal((await session.boundingBox()).width, width);
  }
});
