// Posts from one browser in another.
import assert from 'node:assert/strict';
import { homeList, openHome, overList, postWith, shown } from '../support/feed.mjs';
import { following, until } from '../support/server.mjs';
import { visit } from '../support/visitor.mjs';

const reader = 12;

let written = 0;

// write publishes a post in the window of its author, which shows it at once.
async function write(page, text) {
  const composer = page.getByRole('form', { name: 'New post' }).first();
  await composer.getByRole('textbox').fill(text);
  await composer.getByRole('button', { name: 'Post' }).click();
  await postWith(page, text).first().waitFor();
}

visit('a new post waits behind the button', { user: reader }, async (page, visitor, open) => {
  await openHome(page);
  const [author] = await following(reader, 1);
  const { page: other } = await open({ user: Number(author.databaseId) });
  await openHome(other);
  await listens(page, other);

  const before = await shown(page);
  await write(other, 'Fresh from the other browser');
  const pill = page.getByRole('button', { name: '1 new post' });
  await pill.waitFor();
  assert.deepEqual(await shown(page), before, 'the list moves by itself');
  assert.match(await page.title(), /^\(1\)/);
  await visitor.picture('client-pill');
  await pill.click();
  await postWith(page, 'Fresh from the other browser').waitFor();
  assert.match((await shown(page))[0].text, /^Fresh from the other browser/);
  await pill.waitFor({ state: 'detached' });
});

visit('new posts do not move a scrolled page', { user: reader }, async (page, visitor, open) => {
  await openHome(page);
  const [author] = await following(reader, 1);
  const { page: other } = await open({ user: Number(author.databaseId) });
  await openHome(other);
  await listens(page, other);

  await overList(page);
  await page.mouse.wheel(0, 2000);
  await page.waitForFunction(() => scrollY >= 2000);
  const place = () => homeList(page).getByRole('article').evaluateAll((posts) => {
    const first = posts.find((post) => post.getBoundingClientRect().top >= 0);
    return [first.dataset.post, Math.round(first.getBoundingClientRect().top)];
  });
  const before = await place();
  await write(other, 'One');
  await write(other, 'Two');
  await page.getByRole('button', { name: '2 new posts' }).waitFor();
  assert.deepEqual(await place(), before);
  await page.keyboard.press('.');
  await until('the page is at its top', () => page.evaluate(() => scrollY === 0));
  assert.deepEqual((await shown(page)).slice(0, 2).map(({ text }) => text), ['Two', 'One']);
});

const newPosts = (n) => (n === 1 ? '1 new post' : `${n} new posts`);

// listens waits until the subscription of a page runs. The page does not show this, so the test
// publishes until a new post arrives, and opens it.
async function listens(page, other) {
  const pill = page.getByRole('button', { name: /new posts?$/ });
  let n = 0;
  await until('a new post arrives', async () => {
    await write(other, `Test call. Call ${++written}.`);
    n++;
    return pill.isVisible();
  });
  await page.getByRole('button', { name: newPosts(n) }).waitFor();
  await pill.click();
  await postWith(page, `Call ${written}.`).waitFor();
  await pill.waitFor({ state: 'detached' });
}
