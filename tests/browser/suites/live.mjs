// The page of live sessions, while their states change.
import assert from 'node:assert/strict';
import { group, listed } from '../support/live.mjs';
import { change, following } from '../support/server.mjs';
import { visit } from '../support/visitor.mjs';

const reader = 15;

// How often the page asks by itself what has become of the sessions on it, in milliseconds.
const interval = 10_000;

visit('a session begins and ends before the visitor’s eyes', { user: reader }, async (page, visitor) => {
  const host = Number((await following(reader, 1))[0].databaseId);
  const input = { title: 'The tide comes in', scheduledAt: new Date(Date.now() + 90_000).toISOString() };
  const { liveSession } = await change(host, 'scheduleLive', 'ScheduleLiveInput', input, 'liveSession { id }');
  await page.clock.install();
  await page.goto('/live');
  const session = page.getByRole('listitem', { name: 'The tide comes in' });
  const inGroup = (name) => group(page, name).getByRole('listitem', { name: 'The tide comes in' });
  await inGroup('Coming up').getByText(/^Starts in 1 min/).waitFor();
  await page.clock.runFor(40_000);
  await session.getByText(/^Starts in \d\d s/).waitFor();
  await visitor.picture('client-live-upcoming');

  await change(host, 'startLive', 'LiveIdInput', { liveSessionId: liveSession.id });
  await page.clock.runFor(interval);
  await inGroup('On air').getByText(/^On air/).last().waitFor();
  await visitor.picture('client-live-on-air');

  await change(host, 'endLive', 'EndLiveInput', { liveSessionId: liveSession.id });
  await page.clock.runFor(interval);
  await inGroup('On air').waitFor({ state: 'detached' });
  await listed(page, inGroup('Over').getByText(/^Ended/));
});

visit('a session that changes while one has scrolled stays where it is', { user: reader }, async (page) => {
  const host = Number((await following(reader, 1))[0].databaseId);
  const input = { title: 'Stays in its place', scheduledAt: new Date(Date.now() + 60_000).toISOString() };
  const { liveSession } = await change(host, 'scheduleLive', 'ScheduleLiveInput', input, 'liveSession { id }');
  await page.clock.install();
  await page.goto('/live');
  const session = group(page, 'Coming up').getByRole('listitem', { name: 'Stays in its place' });
  await session.waitFor();
  await page.mouse.move(640, 450);
  await page.mouse.wheel(0, 200);
  await page.waitForFunction(() => scrollY > 0);
  await change(host, 'startLive', 'LiveIdInput', { liveSessionId: liveSession.id });
  await page.clock.runFor(interval);
  await session.getByText('Live', { exact: true }).waitFor();
  await page.getByText('Something has begun or ended since.').waitFor();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await group(page, 'On air').getByRole('listitem', { name: 'Stays in its place' }).waitFor();
  assert.equal(await session.count(), 0);
});

visit('why a session is not planned is said in the form', { user: 16 }, async (page, visitor) => {
  await page.goto('/live');
  await page.getByRole('button', { name: 'Plan a session' }).click();
  const dialog = page.getByRole('dialog', { name: 'Plan a live session' });
  await dialog.getByLabel('What it is about').fill('   ');
  await dialog.getByRole('button', { name: 'Plan it' }).click();
  await dialog.getByRole('alert').getByText(/^Not planned\. /).waitFor();
  await visitor.picture('client-not-planned');
  const begins = dialog.getByLabel('When it begins');
  await begins.fill('2020-01-01T10:00');
  assert.ok(await begins.evaluate((field) => field.validity.rangeUnderflow), 'a moment that is past can be chosen');
});

visit('a host plans a session, goes live, and ends it', { user: 16 }, async (page) => {
  await page.goto('/live');
  await page.getByRole('button', { name: 'Plan a session' }).click();
  const dialog = page.getByRole('dialog', { name: 'Plan a live session' });
  await dialog.getByLabel('What it is about').fill('My own session');
  await dialog.getByRole('button', { name: 'Plan it' }).click();
  const session = page.getByRole('listitem', { name: 'My own session' });
  await listed(page, session);
  await session.getByRole('button', { name: 'Go live' }).click();
  await session.getByRole('button', { name: 'End' }).click();
  await listed(page, session.getByText('Replay', { exact: true }));
});

visit('every session has a line of its own, also when it is over', { user: reader }, async (page) => {
  const host = Number((await following(reader, 1))[0].databaseId);
  const titles = ['Over before', 'Over after'];
  for (const title of titles) {
    const input = { title, scheduledAt: new Date(Date.now() + 60_000).toISOString() };
    const { liveSession } = await change(host, 'scheduleLive', 'ScheduleLiveInput', input, 'liveSession { id }');
    await change(host, 'startLive', 'LiveIdInput', { liveSessionId: liveSession.id });
    await change(host, 'endLive', 'EndLiveInput', { liveSessionId: liveSession.id, replayUrl: 'https://replays.example/1' });
  }
  await page.goto('/live');
  const over = group(page, 'Over');
  for (const title of titles) await listed(page, over.getByRole('listitem', { name: title }).getByRole('link', { name: 'Watch again' }));
  const { width } = await over.boundingBox();
  for (const session of await over.getByRole('listitem').all()) {
    assert.equal((await session.boundingBox()).width, width);
  }
});
