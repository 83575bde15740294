// Private accounts, requests to follow, and posts for followers.
import assert from 'node:assert/strict';
import { changed, homeList, openHome, postWith } from '../support/feed.mjs';
import { ask, change, until } from '../support/server.mjs';
import { phone, visit } from '../support/visitor.mjs';

const requests = (page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Requests/ });
const lock = (at) => at.getByRole('img', { name: 'For followers only' });
const audience = (at) => at.getByRole('combobox', { name: 'Audience' });
const audiences = (at) => audience(at).getByRole('option').allTextContents();
const privacy = (page) => page.getByRole('switch', { name: 'Private account' });
const closed = (page) => page.getByRole('heading', { name: 'This account is private' });
const account = async (user) => (await ask(user, '{ viewer { user { id databaseId handle name isPrivate } } }')).viewer.user;

// privateAccount returns a private account that some users do not follow.
async function privateAccount(user, ...strangers) {
  const own = await account(user);
  for (const other of strangers) await change(other, 'unfollowUser', 'UserIdInput', { userId: own.id });
  if (!own.isPrivate) await change(user, 'updateProfile', 'UpdateProfileInput', { isPrivate: true });
  return own;
}

const request = (user, own) => change(user, 'followUser', 'UserIdInput', { userId: own.id });

// follows reports whether a user follows an account.
const follows = async (user, { handle }) => (await ask(user, 'query ($handle: String!) { user(handle: $handle) { viewerFollows } }', { handle })).user.viewerFollows;

visit('a private account accepts a request, and its follower sees a post for followers', { user: 31 }, async (page, visitor, open) => {
  const [own, guest] = [await account(31), await account(32)];
  for (const user of [32, 33]) await change(user, 'unfollowUser', 'UserIdInput', { userId: own.id });
  await page.goto('/settings');
  await changed(page, privacy(page), /updateProfile/);
  await requests(page).waitFor();
  assert.ok((await account(31)).isPrivate);

  const other = await open({ user: 32 });
  const { page: theirs } = other;
  await theirs.goto(`/u/${own.handle}`);
  await closed(theirs).waitFor();
  await theirs.getByRole('img', { name: 'Private account' }).waitFor();
  await changed(theirs, theirs.getByRole('button', { name: `Follow @${own.handle}`, exact: true }), /followUser/);
  await theirs.getByRole('button', { name: `Requested to follow @${own.handle}, withdraw` }).waitFor();

  await page.goto('/');
  await page.getByRole('link', { name: 'Requests 1 waiting' }).click();
  const list = page.getByRole('list', { name: 'Users who ask to follow you' });
  await list.getByText(`@${guest.handle}`).waitFor();
  await visitor.picture('client-requests');
  await changed(page, list.getByRole('button', { name: `Accept @${guest.handle}` }), /acceptFollow/);
  await page.getByRole('heading', { name: 'No follow requests' }).waitFor();
  await page.getByRole('link', { name: 'Requests', exact: true }).waitFor();
  assert.ok(await follows(32, own));

  await openHome(page);
  const composer = page.getByRole('form', { name: 'New post' }).first();
  assert.deepEqual(await audiences(composer), ['As my account: private', 'Followers']);
  await audience(composer).selectOption('Followers');
  await composer.getByRole('textbox').fill('For those who follow the tide');
  await changed(page, composer.getByRole('button', { name: 'Post' }), /publishPost/);
  await lock(postWith(page, 'For those who follow the tide')).waitFor();

  await openHome(theirs);
  const post = postWith(theirs, 'For those who follow the tide');
  await lock(post).waitFor();
  await post.getByRole('button', { name: /^Repost.*cannot be reposted/ }).press('Enter');
  await theirs.getByText('Posts for followers cannot be reposted').waitFor();

  await other.picture('client-for-followers');

  const { page: strange } = await open({ user: 33 });
  for (const tab of ['', '?tab=following', '?tab=followers', '?tab=live']) {
    await strange.goto(`/u/${own.handle}${tab}`);
    await closed(strange).waitFor();
    assert.equal(await strange.getByRole('article').count(), 0);
  }
  const id = await post.getAttribute('data-post');
  await strange.goto(`/p/${id}`);
  await strange.getByRole('heading', { name: 'Post not found' }).waitFor();
});

visit('requests are rejected and withdrawn, and followers removed', { user: 35 }, async (page, visitor, open) => {
  const own = await privateAccount(35, 36, 37);
  const [one, two] = [await account(36), await account(37)];
  for (const user of [36, 37]) await request(user, own);
  await page.goto('/requests');
  const list = page.getByRole('list', { name: 'Users who ask to follow you' });
  await list.getByRole('button', { name: `Reject @${one.handle}` }).focus();
  const done = page.waitForResponse((answer) => /rejectFollow/.test(answer.request().postData() ?? ''));
  await page.keyboard.press('Enter');
  await done;
  await list.getByText(`@${one.handle}`).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), `Accept @${two.handle}`, 'the next request has the focus');
  await changed(page, list.getByRole('button', { name: `Accept @${two.handle}` }), /acceptFollow/);
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H1', 'without requests, the title has the focus');

  await page.goto(`/u/${own.handle}?tab=followers`);
  const followers = page.getByRole('list', { name: /^Followers of/ });
  await followers.getByRole('button', { name: `Remove follower @${two.handle}` }).click();
  await visitor.picture('client-remove-follower');
  await changed(page, page.getByRole('dialog').getByRole('button', { name: 'Remove' }), /removeFollower/);
  await followers.getByText(`@${two.handle}`).waitFor({ state: 'detached' });
  assert.equal(await follows(37, own), false);

  const { page: theirs } = await open({ user: 36 });
  await theirs.goto(`/u/${own.handle}`);
  await changed(theirs, theirs.getByRole('button', { name: `Follow @${own.handle}`, exact: true }), /followUser/);
  await theirs.goto('/requests?tab=sent');
  await changed(theirs, theirs.getByRole('list', { name: 'Users you ask to follow' }).getByRole('button', { name: `Withdraw the request to follow @${own.handle}` }), /unfollowUser/);
  await theirs.getByRole('heading', { name: 'No sent requests' }).waitFor();
});

visit('the number of requests has one digit', { user: 38, screen: phone }, async (page, visitor) => {
  const strangers = Array.from({ length: 11 }, (_, i) => 40 + i);
  const own = await privateAccount(38, ...strangers);
  for (const user of strangers) await request(user, own);
  await page.goto('/requests');
  await page.getByRole('link', { name: 'Requests 9+ waiting' }).waitFor();
  await visitor.picture('client-many-requests-phone');
  await page.setViewportSize({ width: 320, height: 800 });
  await visitor.picture('client-many-requests-320');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 320), 'the page fits 320 pixels');
  const rows = page.getByRole('list', { name: 'Users who ask to follow you' }).getByRole('listitem');
  for (const left of [10, 9]) {
    await changed(page, rows.first().getByRole('button', { name: /^Reject/ }), /rejectFollow/);
    await page.getByRole('link', { name: `Requests ${left === 10 ? '9+' : '9'} waiting` }).waitFor();
    assert.equal(await rows.count(), left);
  }
});

visit('privacy changes twice a day', { user: 52 }, async (page, visitor) => {
  await page.goto('/settings');
  for (const on of [true, false]) {
    await changed(page, privacy(page), /updateProfile/);
    assert.equal((await account(52)).isPrivate, on);
  }
  await changed(page, privacy(page), /updateProfile/);
  await page.getByText('Could not change your privacy').waitFor();
  await until('the switch is off again', async () => !(await privacy(page).isChecked()));
  await visitor.picture('client-privacy-refused');
  await page.locator('.loading').waitFor({ state: 'detached' });
  assert.equal(await requests(page).count(), 0);
});

visit('the audience of a post is remembered and can be changed', { user: 53 }, async (page, visitor) => {
  await openHome(page);
  const composer = page.getByRole('form', { name: 'New post' }).first();
  assert.equal(await audience(composer).inputValue(), 'PUBLIC');
  assert.deepEqual(await audiences(composer), ['Everyone', 'Followers']);
  await audience(composer).selectOption('Followers');
  await page.reload();
  await homeList(page).getByRole('article').first().waitFor();
  assert.equal(await audience(composer).inputValue(), 'FOLLOWERS');
  await composer.getByRole('textbox').fill('Only the ebb');
  await changed(page, composer.getByRole('button', { name: 'Post' }), /publishPost/);
  const post = postWith(page, 'Only the ebb');
  await lock(post).waitFor();
  await post.getByRole('button', { name: 'Repost, 0 reposts', exact: true }).waitFor();

  await post.getByRole('button', { name: /^Reply/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Reply' });
  await dialog.waitFor();
  assert.equal(await audience(dialog).count(), 0);
  await page.keyboard.press('Escape');

  await post.getByRole('button', { name: /^More on this post/ }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await audience(homeList(page)).selectOption('Everyone');
  await visitor.picture('client-edit-audience');
  await changed(page, page.getByRole('button', { name: 'Save' }), /editPost/);
  await lock(post).waitFor({ state: 'detached' });
  assert.equal(await post.getByText('edited').count(), 0);
  const { viewer } = await ask(53, '{ viewer { homeFeed(first: 1) { nodes { text audience } } } }');
  assert.deepEqual(viewer.homeFeed.nodes, [{ text: 'Only the ebb', audience: 'PUBLIC' }]);
});
