// Scrolling through the home feed: every post, once, in order.
import assert from 'node:assert/strict';
import { homeList, openHome, overList, shown } from '../support/feed.mjs';
import { homeFeed } from '../support/server.mjs';
import { visit } from '../support/visitor.mjs';

const reader = 10;

// Record has the posts that a visitor has passed, by position.
class Record {
  posts = [];

  // note adds the posts on the page, which must agree with earlier ones.
  async note(page) {
    const now = await shown(page);
    assert.equal(new Set(now.map(({ id }) => id)).size, now.length, 'a post is shown twice');
    for (const { id, place, text } of now) {
      assert.equal(this.posts[place - 1]?.id ?? id, id, `another post has come to place ${place}`);
      this.posts[place - 1] = { id, text };
    }
  }
}

// plain normalizes spaces, which page and API write differently.
const plain = ({ id, text }) => ({ id, text: text.replace(/\s+/g, ' ').trim() });

// scrollUntil scrolls until the record has count posts.
async function scrollUntil(page, record, count) {
  while (record.posts.length < count) {
    // At the end of the loaded posts, the wheel has no effect until more are loaded.
    await page.waitForFunction(() => scrollY + innerHeight + 1 <= document.documentElement.scrollHeight);
    const before = await page.evaluate(() => scrollY);
    await page.mouse.wheel(0, 700);
    await page.waitForFunction((y) => scrollY > y, before);
    await record.note(page);
  }
}

visit('three hundred posts, none twice, none missing', { user: reader }, async (page) => {
  await openHome(page);
  await overList(page);
  const record = new Record();
  await record.note(page);
  await scrollUntil(page, record, 300);
  const want = (await homeFeed(reader, 400)).slice(0, record.posts.length);
  assert.deepEqual(record.posts.map(plain), want.map(plain));
});

visit('going back restores the place in the list', { user: reader }, async (page) => {
  await openHome(page);
  await overList(page);
  const record = new Record();
  await record.note(page);
  await scrollUntil(page, record, 60);
  const inSight = () => homeList(page).evaluate((list) => {
    const first = [...list.querySelectorAll('article')].find((post) => post.getBoundingClientRect().top >= 0);
    return { id: first.dataset.post, top: Math.round(first.getBoundingClientRect().top) };
  });
  const before = await inSight();
  await page.locator(`article[data-post="${before.id}"] .quiet-link`).first().click();
  await page.getByRole('heading', { level: 1, name: /^Post by/ }).waitFor();
  await page.goBack();
  await page.locator(`article[data-post="${before.id}"]`).waitFor();
  const now = await inSight();
  assert.equal(now.id, before.id);
  assert.ok(Math.abs(now.top - before.top) < 5, `it is ${now.top - before.top} pixels lower`);
});

visit('a reload in the middle continues in both directions', { user: reader }, async (page) => {
  await openHome(page);
  await overList(page);
  const record = new Record();
  await record.note(page);
  await scrollUntil(page, record, 100);
  const before = (await shown(page)).map(({ id }) => id);
  await page.reload();
  await homeList(page).getByRole('article').first().waitFor();
  await page.waitForFunction((ids) => [...document.querySelectorAll('article[data-post]')].some((post) => ids.includes(post.dataset.post)), before);
  const feed = (await homeFeed(reader, 200)).map(({ id }) => id);
  const contiguous = async () => {
    const ids = (await shown(page)).map(({ id }) => id);
    const from = feed.indexOf(ids[0]);
    assert.deepEqual(ids, feed.slice(from, from + ids.length));
    return from;
  };
  await overList(page);
  while ((await contiguous()) > 0) {
    const top = (await shown(page))[0].id;
    await page.mouse.wheel(0, -700);
    await page.waitForFunction((id) => document.querySelector('article[data-post]').dataset.post !== id || scrollY === 0, top);
  }
});

visit('keys move from post to post', { user: reader }, async (page) => {
  await openHome(page);
  const want = (await homeFeed(reader, 100)).slice(0, 40).map(({ id }) => id);
  const seen = [];
  for (const _ of want) {
    await page.keyboard.press('j');
    const last = seen.at(-1) ?? null;
    await page.waitForFunction((id) => (document.activeElement?.closest('article')?.dataset.post ?? id) !== id, last);
    seen.push(await page.evaluate(() => document.activeElement.closest('article').dataset.post));
  }
  assert.deepEqual(seen, want);
  await page.keyboard.press('k');
  await page.waitForFunction((id) => document.activeElement.closest('article').dataset.post === id, want.at(-2));
});
