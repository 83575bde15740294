// Where a visitor has stopped reading the home feed.
import assert from 'node:assert/strict';
import { violations } from '../support/axe.mjs';
import { homeList, openHome, overList, postWith, shown } from '../support/feed.mjs';
import { ask, following, homeFeed, publish, until } from '../support/server.mjs';
import { fits, phone, visit } from '../support/visitor.mjs';

const stopped = /^You stopped here/;
const line = (page, count) => homeList(page).getByText(`You stopped here · ${count}`, { exact: true });
const back = (page, count) => page.getByRole('button', { name: `Go to where you stopped · ${count}` });

const positionOf = async (user) => (await ask(user, '{ viewer { readPosition { cursor unread } } }')).viewer.readPosition;

// read lets a visitor read the newest posts of their home feed, and returns its first post.
async function read(page, user) {
  await openHome(page);
  await until('the newest posts count as read', async () => (await positionOf(user))?.unread === 0);
  await page.goto('about:blank');
  return (await homeFeed(user, 1))[0].id;
}

// publishSince publishes posts that a user has not read.
async function publishSince(user, count) {
  const [author] = await following(user, 1);
  for (let i = 1; i <= count; i++) await publish(Number(author.databaseId), `Since then, post ${i} of ${count}`);
}

// around returns the posts above and below the line.
const around = (page) => homeList(page).getByText(stopped).evaluate((text) => {
  const item = text.closest('.window-item');
  const post = (of) => of?.querySelector('article').dataset.post;
  return [post(item.previousElementSibling), post(item)];
});

const focused = (page) => page.evaluate(() => document.activeElement.closest('article')?.dataset.post);

// marks counts the positions that a page sends.
function marks(page) {
  const sent = [];
  page.on('request', (request) => request.postData()?.includes('markHomeRead') && sent.push(request));
  return () => sent.length;
}

visit('a line shows where the reader has stopped on another device', { user: 31 }, async (page, _, open) => {
  const last = await read(page, 31);
  await publishSince(31, 8);
  const other = await open({ user: 31, screen: phone, dark: true });
  const sent = marks(other.page);
  await openHome(other.page);
  await back(other.page, '8 unread').waitFor();
  const feed = await homeFeed(31, 9);
  assert.deepEqual(await around(other.page), [feed[7].id, last]);
  assert.deepEqual(await violations(other.page), []);
  await fits(other.page);
  await other.picture('client-way-back-phone-dark');
  await line(other.page, '8 unread').scrollIntoViewIfNeeded();
  await other.picture('client-stopped-phone-dark');
  await until('they count as read', async () => (await positionOf(31)).unread === 0);
  await back(other.page, '8 unread').waitFor({ state: 'detached' });
  assert.equal(sent(), 1);
  await openHome(other.page);
  await postWith(other.page, 'post 8 of 8').waitFor();
  assert.equal(await homeList(other.page).getByText(stopped).count(), 0);
});

visit('the way back leads to a post that is not loaded', { user: 32 }, async (page, _, open) => {
  const last = await read(page, 32);
  await publishSince(32, 30);
  const other = await open({ user: 32 });
  const sent = marks(other.page);
  await openHome(other.page);
  await back(other.page, '30 unread').waitFor();
  assert.deepEqual(await violations(other.page), []);
  await other.picture('client-way-back');
  await back(other.page, '30 unread').click();
  await until('the post has the focus', async () => (await focused(other.page)) === last);
  await line(other.page, '30 unread').waitFor();
  const feed = (await homeFeed(32, 100)).map(({ id }) => id);
  assert.deepEqual(await around(other.page), [feed[29], last]);
  assert.deepEqual(await violations(other.page), []);
  await other.picture('client-stopped');
  await until('the place counts as read', async () => (await back(other.page, '30 unread').count()) === 0);
  assert.equal((await positionOf(32)).unread, 30, 'posts above the screen count as read');

  await overList(other.page);
  await until('the list has its top', async () => {
    const [first] = await shown(other.page);
    await other.page.mouse.wheel(0, -700);
    return first.id === feed[0];
  });
  await until('all count as read', async () => (await positionOf(32)).unread === 0);
  assert.ok(sent() <= 5, `${sent()} positions were sent`);
});

visit('u leads back by keyboard', { user: 33 }, async (page, _, open) => {
  const last = await read(page, 33);
  await publishSince(33, 2);
  const other = await open({ user: 33 });
  await openHome(other.page);
  await line(other.page, '2 unread').waitFor();
  await other.page.keyboard.press('u');
  await until('the post has the focus', async () => (await focused(other.page)) === last);
  await other.page.keyboard.press('k');
  assert.notEqual(await focused(other.page), last);
  assert.equal(await homeList(other.page).getByRole('article').first().getAttribute('data-post'), (await homeFeed(33, 1))[0].id);
});
