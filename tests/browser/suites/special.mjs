// Special follows, hidden reposts and replies, and filters.
import assert from 'node:assert/strict';
import { changed, openHome, postWith } from '../support/feed.mjs';
import { change, following, publish } from '../support/server.mjs';
import { visit } from '../support/visitor.mjs';

const reader = 61;

const special = '/?tab=special';
const specialList = (page) => page.getByRole('feed', { name: 'Special feed' });
const star = (page, { handle }) => page.getByRole('button', { name: `Special follow of @${handle}` });
const tab = (page, name) => page.getByRole('navigation', { name: 'Feeds' }).getByRole('link', { name });

// current asserts that a tab is the chosen one.
const current = async (page, name) => assert.equal(await tab(page, name).getAttribute('aria-current'), 'page');

// make makes a follow of the reader a special one, or a common one.
const make = (author, on) => change(reader, 'updateFollow', 'UserIdInput', { userId: author.id }, '', {}, `, special: ${on}`);

visit('a star by keyboard makes a special follow', { user: reader }, async (page, visitor) => {
  const [author, other] = await following(reader, 2);
  await publish(Number(author.databaseId), 'By a special follow');
  await publish(Number(other.databaseId), 'By a common follow');
  await page.goto(special);
  await page.getByRole('heading', { name: 'No posts by special follows' }).waitFor();

  await page.goto(`/u/${author.handle}`);
  const button = star(page, author);
  assert.equal(await button.getAttribute('aria-pressed'), 'false');
  await button.focus();
  const done = page.waitForResponse((answer) => /updateFollow/.test(answer.request().postData() ?? ''));
  await page.keyboard.press('Space');
  await done;
  await page.getByRole('button', { name: `Special follow of @${author.handle}`, pressed: true }).waitFor();
  await visitor.picture('client-star');
  await page.reload();
  await page.getByRole('button', { name: `Special follow of @${author.handle}`, pressed: true }).waitFor();

  await openHome(page);
  await current(page, 'All');
  await postWith(page, 'By a common follow').waitFor();
  await tab(page, 'Special').focus();
  await page.keyboard.press('Enter');
  await specialList(page).getByText('By a special follow').waitFor();
  await current(page, 'Special');
  assert.equal(await page.title(), 'Special · Tideline');
  assert.equal(await postWith(page, 'By a common follow').count(), 0);
  await visitor.picture('client-special');

  await page.reload();
  await specialList(page).getByText('By a special follow').waitFor();
  await page.goBack();
  await postWith(page, 'By a common follow').waitFor();
  await page.goForward();
  await specialList(page).waitFor();

  await page.goto(`/u/${author.handle}`);
  await changed(page, star(page, author));
  await page.getByRole('navigation').getByRole('link', { name: /^Home/ }).click();
  await tab(page, 'Special').click();
  await page.getByRole('heading', { name: 'No posts by special follows' }).waitFor();
});

visit('new posts of special follows wait behind the button', { user: reader }, async (page, visitor) => {
  const [author, other] = await following(reader, 2);
  await publish(Number(author.databaseId), 'The first special one');
  await make(author, true);
  await page.goto(special);
  await specialList(page).getByText('The first special one').waitFor();
  await publish(Number(other.databaseId), 'Not for this tab');
  const id = await publish(Number(author.databaseId), 'The second special one');
  await page.getByRole('button', { name: '1 new post' }).click();
  await specialList(page).getByText('The second special one').waitFor();
  assert.equal(await postWith(page, 'Not for this tab').count(), 0);
  await change(Number(author.databaseId), 'editPost', 'EditPostInput', { postId: id, text: 'The second, edited' });
  await specialList(page).getByText('The second, edited').waitFor();
  await change(Number(author.databaseId), 'deletePost', 'PostIdInput', { postId: id });
  await specialList(page).getByText('The second, edited').waitFor({ state: 'detached' });
  // The tab has changed while it was away.
  await tab(page, 'All').click();
  await postWith(page, 'Not for this tab').waitFor();
  await publish(Number(author.databaseId), 'Published meanwhile');
  await page.goBack();
  await page.getByRole('button', { name: '1 new post' }).waitFor();
  assert.match(await page.title(), /^\(1\) Special/);
  await visitor.picture('client-special-new');
  await make(author, false);
  await postWith(page, 'The first special one').waitFor({ state: 'detached' });
});

visit('hidden reposts leave the home feed until they are shown', { user: reader }, async (page, visitor) => {
  const [author, other] = await following(reader, 2);
  const original = await publish(Number(other.databaseId), 'Worth a comment');
  await change(Number(author.databaseId), 'publishPost', 'PublishPostInput', { text: 'My comment on it', repostOf: original });
  await openHome(page);
  await postWith(page, 'My comment on it').first().waitFor();
  await page.goto(`/u/${author.handle}`);
  const menu = page.getByRole('button', { name: `Mute, hide from or block @${author.handle}` });
  const item = (name) => page.getByRole('menuitemcheckbox', { name });
  const press = async (checked) => {
    await menu.focus();
    await page.keyboard.press('Enter');
    while (!(await item('Hide reposts').evaluate((one) => one === document.activeElement))) await page.keyboard.press('ArrowDown');
    assert.equal(await item('Hide reposts').getAttribute('aria-checked'), String(checked));
    assert.equal(await item('Hide replies').getAttribute('aria-checked'), 'false');
    await visitor.picture(`client-hide-reposts-${checked}`);
    const done = page.waitForResponse((answer) => /updateFollow/.test(answer.request().postData() ?? ''));
    await page.keyboard.press('Enter');
    await done;
    assert.ok(await menu.evaluate((button) => button === document.activeElement));
  };
  await press(false);
  await page.getByText(`Reposts by @${author.handle} are hidden`).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: /^Home/ }).click();
  await postWith(page, 'Worth a comment').first().waitFor();
  assert.equal(await postWith(page, 'My comment on it').count(), 0);
  await page.goBack();
  await press(true);
  await page.getByRole('navigation').getByRole('link', { name: /^Home/ }).click();
  await postWith(page, 'My comment on it').first().waitFor();
});

visit('unfollowing drops the options', { user: reader }, async (page) => {
  const [author] = await following(reader, 1);
  await publish(Number(author.databaseId), 'Until I unfollow');
  await make(author, true);
  await page.goto(special);
  await specialList(page).getByRole('button', { name: /^More on this post/ }).first().click();
  await changed(page, page.getByRole('menuitem', { name: `Unfollow @${author.handle}` }));
  await postWith(page, 'Until I unfollow').waitFor({ state: 'detached' });

  await page.goto(`/u/${author.handle}`);
  const follow = page.getByRole('button', { name: `Follow @${author.handle}`, exact: true });
  await follow.waitFor();
  assert.equal(await star(page, author).count(), 0);
  await page.getByRole('button', { name: `Mute, hide from or block @${author.handle}` }).click();
  await page.getByRole('menuitem', { name: `Block @${author.handle}` }).waitFor();
  assert.equal(await page.getByRole('menuitemcheckbox').count(), 0);
  await page.keyboard.press('Escape');
  await changed(page, follow);
  await changed(page, star(page, author));
  await changed(page, page.getByRole('button', { name: `Following @${author.handle}, unfollow` }));
  await star(page, author).waitFor({ state: 'detached' });
  await changed(page, follow);
  await page.getByRole('button', { name: `Special follow of @${author.handle}`, pressed: false }).waitFor();
});

visit('a filter stays in the address', { user: reader }, async (page, visitor) => {
  const [author, other] = await following(reader, 2);
  const original = await publish(Number(other.databaseId), 'Passes the filter');
  await change(Number(author.databaseId), 'publishPost', 'PublishPostInput', { text: 'Does not pass', repostOf: original });
  await openHome(page);
  await postWith(page, 'Does not pass').first().waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Filter, Posts, Replies' }).and(page.locator(':focus')).waitFor();
  assert.match(page.url(), /\/\?only=posts,replies$/);
  await postWith(page, 'Does not pass').first().waitFor({ state: 'detached' });
  await postWith(page, 'Passes the filter').waitFor();
  await visitor.picture('client-filter');

  await change(Number(author.databaseId), 'publishPost', 'PublishPostInput', { text: 'Neither does this', repostOf: original });
  await publish(Number(author.databaseId), 'Passes, too');
  await page.getByRole('button', { name: '1 new post' }).click();
  await postWith(page, 'Passes, too').waitFor();
  await page.reload();
  await postWith(page, 'Passes, too').waitFor();
  assert.equal(await postWith(page, 'Neither does this').count(), 0);

  await tab(page, 'Special').click();
  await page.getByRole('heading', { name: 'No posts match the filter' }).waitFor();
  await page.goBack();
  await postWith(page, 'Passes, too').waitFor();
  await page.getByRole('button', { name: /^Filter/ }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Reposts' }).click();
  await postWith(page, 'Neither does this').first().waitFor();
  assert.match(page.url(), /:\d+\/$/);
});
