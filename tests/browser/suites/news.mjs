// Posts from one browser in another.
import assert from 'node:assert/strict';
import { homeList, openHome, overList, postWith, shown } from '../support/feed.mjs';
import { change, following, publish, until } from '../support/server.mjs';
import { withinASecond } from '../support/times.mjs';
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

visit('edits and deletions by others show within a second', { user: reader }, async (page, visitor) => {
  const author = Number((await following(reader, 1))[0].databaseId);
  const names = ['Ebb', 'Flow', 'Spring', 'Neap', 'Slack'];
  const ids = [];
  for (const name of names) ids.push(await publish(author, `${name} as it was written`));
  await openHome(page);
  for (const name of names) await postWith(page, `${name} as it was written`).waitFor();
  await withinASecond('edited posts', reader, names.map((name, i) => [
    () => change(author, 'editPost', 'EditPostInput', { postId: ids[i], text: `${name} as it was edited` }),
    () => postWith(page, `${name} as it was edited`).waitFor(),
  ]));
  await visitor.picture('client-edited-by-others');
  await withinASecond('deleted posts', reader, names.map((name, i) => [
    () => change(author, 'deletePost', 'PostIdInput', { postId: ids[i] }),
    () => postWith(page, `${name} as it was edited`).waitFor({ state: 'detached' }),
  ]));
});

visit('a home feed that was offline is right without a reload', { user: reader }, async (page, visitor) => {
  visitor.expects(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket/);
  const author = Number((await following(reader, 1))[0].databaseId);
  const [edited, deleted] = [await publish(author, 'Edited meanwhile'), await publish(author, 'Deleted meanwhile')];
  await openHome(page);
  await postWith(page, 'Deleted meanwhile').waitFor();
  await page.evaluate(() => { window.sameDocument = true; });
  await visitor.context.setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await change(author, 'editPost', 'EditPostInput', { postId: edited, text: 'Read after the tunnel' });
  await change(author, 'deletePost', 'PostIdInput', { postId: deleted });
  await publish(author, 'Written meanwhile');
  await visitor.context.setOffline(false);
  await postWith(page, 'Read after the tunnel').waitFor();
  await postWith(page, 'Deleted meanwhile').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: '1 new post' }).click();
  await postWith(page, 'Written meanwhile').waitFor();
  assert.ok(await page.evaluate(() => window.sameDocument));
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
