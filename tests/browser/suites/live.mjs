// The live page, while sessions change.
import assert from 'node:assert/strict';
import { group, listed } from '../support/live.mjs';
import { change, following } from '../support/server.mjs';
import { visit } from '../support/visitor.mjs';

const reader = 15;

// The interval at which the page updates its sessions, in milliseconds.
const interval = 10_000;

visit('a session starts and ends on the page', { user: reader }, async (page, visitor) => {
  const host = Number((await following(reader, 1))[0].databaseId);
  const input = { title: 'The tide comes in', scheduledAt: new Date(Date.now() + 90_000).toISOString() };
  const { liveSession } = await change(host, 'scheduleLive', 'ScheduleLiveInput', input, 'liveSession { id }');
  await page.clock.install();
  await page.goto('/live');
  const session = page.getByRole('listitem', { name: 'The tide comes in' });
  const inGroup = (name) => group(page, name).getByRole('listitem', { name: 'The tide comes in' });
  await inGroup('Upcoming').getByText(/^Starts in 1 min/).waitFor();
  await page.clock.runFor(40_000);
  await session.getByText(/^Starts in \d\d s/).waitFor();
  await visitor.picture('client-live-upcoming');

  await change(host, 'startLive', 'LiveIdInput', { liveSessionId: liveSession.id });
  await page.clock.runFor(interval);
  await inGroup('Live now').getByText(/^Live for/).last().waitFor();
  await visitor.picture('client-live-on-air');

  await change(host, 'endLive', 'EndLiveInput', { liveSessionId: liveSession.id });
  await page.clock.runFor(interval);
  await inGroup('Live now').waitFor({ state: 'detached' });
  await listed(page, inGroup('Past').getByText(/^Ended/));
});

visit('a session keeps its place on a scrolled page', { user: reader }, async (page) => {
  const host = Number((await following(reader, 1))[0].databaseId);
  const input = { title: 'Stays in its place', scheduledAt: new Date(Date.now() + 60_000).toISOString() };
  const { liveSession } = await change(host, 'scheduleLive', 'ScheduleLiveInput', input, 'liveSession { id }');
  await page.clock.install();
  await page.goto('/live');
  const session = group(page, 'Upcoming').getByRole('listitem', { name: 'Stays in its place' });
  await session.waitFor();
  await page.mouse.move(640, 450);
  await page.mouse.wheel(0, 200);
  await page.waitForFunction(() => scrollY > 0);
  await change(host, 'startLive', 'LiveIdInput', { liveSessionId: liveSession.id });
  await page.clock.runFor(interval);
  await session.getByText('Live', { exact: true }).waitFor();
  await page.getByText('Sessions have started or ended.').waitFor();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await group(page, 'Live now').getByRole('listitem', { name: 'Stays in its place' }).waitFor();
  assert.equal(await session.count(), 0);
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
  const host = Number((await following(reader, 1))[0].databaseId);
  const titles = ['Over before', 'Over after'];
  for (const title of titles) {
    const input = { title, scheduledAt: new Date(Date.now() + 60_000).toISOString() };
    const { liveSession } = await change(host, 'scheduleLive', 'ScheduleLiveInput', input, 'liveSession { id }');
    await change(host, 'startLive', 'LiveIdInput', { liveSessionId: liveSession.id });
    await change(host, 'endLive', 'EndLiveInput', { liveSessionId: liveSession.id, replayUrl: 'https://replays.example/1' });
  }
  await page.goto('/live');
  const over = group(page, 'Past');
  for (const title of titles) await listed(page, over.getByRole('listitem', { name: title }).getByRole('link', { name: 'Watch replay' }));
  const { width } = await over.boundingBox();
  for (const session of await over.getByRole('listitem').all()) {
    assert.equal((await session.boundingBox()).width, width);
  }
});
