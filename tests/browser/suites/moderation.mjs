// Moderators take down posts, suspend users, and restore both.
import assert from 'node:assert/strict';
import { violations } from '../support/axe.mjs';
import { changed, openHome, postWith } from '../support/feed.mjs';
import { ask, change, publish, until } from '../support/server.mjs';
import { fits, phone, visit } from '../support/visitor.mjs';

const moderator = { user: 62, claims: { role: 'moderator' } };
const account = async (user) => (await ask(user, '{ viewer { user { id databaseId handle name } } }')).viewer.user;
const menuOf = (at) => at.getByRole('button', { name: /^More on this post/ });
const item = (page, name) => page.getByRole('menuitem', { name });
const log = (page) => page.getByRole('list', { name: 'Takedowns and suspensions' });
const link = (page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Moderation' });
const entryWith = (page, text) => log(page).getByRole('listitem').filter({ hasText: text });

// focused returns the name or text of the focused element.
const focused = (page) => page.evaluate(() => {
  const at = document.activeElement;
  return at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent.trim();
});

// lookAt stores pictures of a page that fits the screen, and asserts that axe finds nothing.
async function lookAt(visitor, name, themes = ['light']) {
  const { page } = visitor;
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    await visitor.picture(`client-${name}-${colorScheme}`);
    assert.deepEqual(await violations(page), [], `${name}, ${colorScheme}`);
  }
  await fits(page);
}

visit('a moderator takes down and restores a post by keyboard', moderator, async (page, visitor, open) => {
  const author = await account(61);
  const text = `Buy my tides ${Date.now()}`;
  const id = await publish(61, text);
  await publish(61, `Just a shell ${Date.now()}`);

  await page.goto(`/u/${author.handle}`);
  const post = postWith(page, text);
  // choose opens the dialog from the button of the menu, which has the focus.
  const choose = async () => {
    await page.keyboard.press('Enter');
    await until('the first item has the focus', () => page.evaluate(() => document.activeElement.role === 'menuitem'));
    await page.keyboard.press('End');
    assert.equal(await focused(page), 'Take down…');
    await page.keyboard.press('Enter');
    await until('the field has the focus', async () => await focused(page) === 'Reason');
  };
  await menuOf(post).focus();
  await choose();
  const dialog = page.getByRole('dialog', { name: 'Take down this post?' });
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  assert.match(await focused(page), /^More on this post/, 'the focus returns to the menu');
  await choose();
  await page.keyboard.press('Control+Enter');
  await dialog.getByRole('alert').filter({ hasText: 'Enter a reason.' }).waitFor();
  await page.keyboard.insertText('x'.repeat(501));
  await dialog.getByText('1 over the limit').waitFor();
  await lookAt(visitor, 'take-down-over');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('This is an advertisement');
  await lookAt(visitor, 'take-down', ['dark', 'light']);
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'Take down');
  await page.keyboard.press('Enter');
  await page.getByText('Post taken down').waitFor();
  await post.waitFor({ state: 'detached' });
  assert.ok(await page.evaluate((gone) => (document.activeElement.dataset.post ?? gone) !== gone, id), 'another post has the focus');

  const { page: strange } = await open({ user: 63 });
  await strange.goto(`/u/${author.handle}`);
  await postWith(strange, 'Just a shell').first().waitFor();
  assert.equal(await postWith(strange, text).count(), 0);
  await strange.goto(`/p/${id}`);
  await strange.getByRole('heading', { name: 'Post not found' }).waitFor();

  const own = await open({ user: 61 });
  await own.page.goto(`/p/${id}`);
  await own.page.getByText(/^Only you can see this post\. A moderator took it down on .* Reason: .*This is an advertisement/).waitFor();
  assert.match(await own.page.getByRole('article').first().ariaSnapshot(), /Only you can see this post/);
  await lookAt(own, 'taken-down', ['dark', 'light']);

  await link(page).click();
  const entry = entryWith(page, text);
  await entry.getByText(`by @${author.handle}`).waitFor();
  await entry.getByText('This is an advertisement').waitFor();
  await entry.getByRole('button', { name: `Restore the post by @${author.handle}` }).focus();
  const done = page.waitForResponse((answer) => /restorePost/.test(answer.request().postData() ?? ''));
  await page.keyboard.press('Enter');
  await done;
  await entry.getByText('Lifted by').waitFor();
  assert.ok(await entry.evaluate((row) => row === document.activeElement), 'the entry keeps the focus');
  await page.getByText('Post restored').waitFor();
  await entry.getByRole('link', { name: 'Post', exact: true }).click();
  await postWith(page, text).waitFor();

  await strange.reload();
  await postWith(strange, text).waitFor();
  await own.page.reload();
  await postWith(own.page, text).waitFor();
  assert.equal(await own.page.getByText('Only you can see this post').count(), 0);
});

visit('a moderator suspends and restores a user', moderator, async (page, visitor, open) => {
  const user = await account(64);
  const text = `Loud waves ${Date.now()}`;
  await publish(64, text);
  await page.goto(`/u/${user.handle}`);
  const menu = page.getByRole('button', { name: `Mute, hide from or block @${user.handle}` });
  const open64 = async (name) => {
    await menu.click();
    // It may open before the moderator's part is loaded.
    await item(page, name).click();
  };
  await postWith(page, text).waitFor();
  await open64(`Suspend @${user.handle}…`);
  const dialog = page.getByRole('dialog', { name: `Suspend @${user.handle}?` });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Floods the harbour');
  await dialog.getByRole('combobox', { name: 'Ends' }).selectOption('After 7 days');
  await lookAt(visitor, 'suspend');
  await changed(page, dialog.getByRole('button', { name: 'Suspend' }), /suspendUser/);
  await page.getByText(`Suspended @${user.handle}`).waitFor();
  const note = page.getByRole('region', { name: /^About/ }).getByText(/^Suspended until /);
  await note.waitFor();
  await postWith(page, text).waitFor({ state: 'detached' });
  await lookAt(visitor, 'suspended');

  const own = await open({ user: 64 });
  await openHome(own.page);
  await changed(own.page, own.page.getByRole('button', { name: /^Like/ }).first(), /likePost/);
  await own.page.getByText('Your account is suspended; you can read, delete posts, unfollow, block, and delete the account.').waitFor();
  await lookAt(own, 'refused-as-suspended');
  const composer = own.page.getByRole('form', { name: 'New post' }).first();
  await composer.getByRole('textbox').fill('May I?');
  await changed(own.page, composer.getByRole('button', { name: 'Post' }), /publishPost/);
  await own.page.getByText('Could not publish').waitFor();
  assert.equal(await composer.getByRole('textbox').inputValue(), 'May I?', 'the draft stays');

  await link(page).click();
  const entry = entryWith(page, 'Floods the harbour').first();
  await entry.getByText(/Until /).waitFor();
  await entry.getByRole('link', { name: `@${user.handle}` }).click();
  await note.waitFor();
  await open64(`Restore @${user.handle}`);
  await note.waitFor({ state: 'detached' });
  await postWith(page, text).waitFor();

  await open64(`Suspend @${user.handle}…`);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Once more');
  await changed(page, dialog.getByRole('button', { name: 'Suspend' }), /suspendUser/);
  await page.getByText(/^Suspended\. Reason:/).waitFor();
  await link(page).click();
  const second = entryWith(page, 'Once more').first();
  await second.getByText('No end').waitFor();
  await changed(page, second.getByRole('button', { name: `Restore @${user.handle}` }), /restoreUser/);
  await second.getByText('Lifted by').waitFor();
  await change(64, 'publishPost', 'PublishPostInput', { text: 'Quiet again' });
});

visit('the moderation log is paged and fits every screen', { ...moderator, user: 66, screen: phone }, async (page, visitor) => {
  const [author, { claims }] = [await account(65), moderator];
  // Its navigation has all links.
  await change(66, 'updateProfile', 'UpdateProfileInput', { isPrivate: true });
  for (let n = 0; n < 24; n++) {
    const postId = await publish(65, n === 23 ? 'endless'.repeat(90) : `Spam ${n}`);
    await change(66, 'takeDownPost', 'TakeDownPostInput', { postId, reason: n === 22 ? 'endless'.repeat(70) : `Advertisement ${n}` }, '', claims);
  }
  await change(66, 'suspendUser', 'SuspendUserInput', { userId: author.id, reason: 'Too much of it' }, '', claims);
  await page.goto('/moderation');
  const rows = log(page).getByRole('listitem');
  await rows.nth(19).waitFor();
  await until('the next page is there', async () => {
    await rows.last().scrollIntoViewIfNeeded();
    return await rows.filter({ hasText: 'Restore' }).count() >= 25;
  });
  await rows.first().getByText('Too much of it').waitFor();
  assert.equal(await rows.filter({ hasText: /Reason: Advertisement/ }).count(), 23, 'no entry is missing or twice');
  await rows.nth(4).getByText('Spam 20').waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  await lookAt(visitor, 'moderation-phone', ['dark', 'light']);
  await page.setViewportSize({ width: 320, height: 800 });
  await visitor.picture('client-moderation-320');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 320), 'the page fits 320 pixels');
  const last = await page.getByRole('link', { name: 'Requests' }).locator('span').first().boundingBox();
  assert.ok(last.x + last.width <= 320, 'the navigation fits 320 pixels');
  await page.setViewportSize({ width: 1280, height: 900 });
  await rows.filter({ hasText: 'Advertisement 21' }).getByRole('button', { name: 'Restore' }).click();
  await rows.filter({ hasText: 'Advertisement 21' }).getByText('Lifted by').waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  await lookAt(visitor, 'moderation-desk');
  await change(66, 'restoreUser', 'UserIdInput', { userId: author.id }, '', claims);
});

visit('users who are no moderators get nothing of it', { user: 63 }, async (page, visitor) => {
  const loaded = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await openHome(page);
  await until('the other pages are loaded ahead', () => loaded.some((path) => path.includes('ProfilePage')));
  await menuOf(page.getByRole('article').first()).click();
  await item(page, 'Copy link').waitFor();
  assert.equal(await item(page, 'Take down…').count(), 0);
  assert.equal(await link(page).count(), 0);
  await page.waitForLoadState('networkidle');
  assert.deepEqual(loaded.filter((path) => /moderation/i.test(path)), []);
  await page.goto('/moderation');
  await page.getByRole('alert').filter({ hasText: 'Not allowed' }).waitFor();
  await visitor.picture('client-moderation-refused');
});
