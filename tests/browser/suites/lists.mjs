// Lists of authors: making them, adding from a profile, reading, changing and deleting.
import assert from 'node:assert/strict';
import { violations } from '../support/axe.mjs';
import { changed, postWith } from '../support/feed.mjs';
import { ask, change, following, publish, until } from '../support/server.mjs';
import { fits, phone, visit } from '../support/visitor.mjs';

const owner = 71;

const dialog = (page, name) => page.getByRole('dialog', { name });
const listOf = (page, name) => page.getByRole('feed', { name: `Posts of ${name}` });
const tab = (page, name) => page.getByRole('navigation', { name: 'List' }).getByRole('link', { name });
const row = (page, name) => page.getByRole('list', { name: 'Your lists' }).getByRole('link', { name });
const focused = (locator, page) => locator.and(page.locator(':focus')).waitFor();
const make = async (user, input) => (await change(user, 'createList', 'CreateListInput', input, 'list { id }')).list.id;
const add = (user, listId, ...userIds) => change(user, 'addToList', 'ListMembersInput', { listId, userIds });
const account = async (user) => (await ask(user, '{ viewer { user { id handle } } }')).viewer.user;

// looked takes pictures of the page in both themes, and asserts that axe finds nothing.
async function looked(page, visitor, name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await visitor.picture(`${name}-${colorScheme}`);
    assert.deepEqual(await violations(page), []);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await fits(page);
}

// openPicker opens the dialog that adds a user to lists, by keyboard.
async function openPicker(page, { handle }) {
  await page.goto(`/u/${handle}`);
  await page.getByRole('button', { name: `Mute, hide from or block @${handle}` }).press('Enter');
  await page.getByRole('menuitem', { name: 'Add to lists…' }).press('Enter');
  await dialog(page, `Add @${handle} to lists`).waitFor();
}

visit('a list is made, filled, read, changed and deleted by keyboard', { user: owner }, async (page, visitor) => {
  const [author, other] = await following(owner, 2);
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Lists' }).press('Enter');
  await page.getByRole('heading', { name: 'No lists' }).waitFor();
  await looked(page, visitor, 'client-lists-none');

  await page.getByRole('button', { name: 'New list' }).press('Enter');
  await focused(dialog(page, 'New list').getByRole('textbox', { name: 'Name' }), page);
  await page.keyboard.type('Friends');
  await looked(page, visitor, 'client-list-new');
  await page.keyboard.press('Enter');
  await row(page, /^Friends Private · 0 members$/).waitFor();
  await focused(page.getByRole('button', { name: 'New list' }), page);
  await row(page, /^Friends/).press('Enter');
  await page.getByRole('heading', { name: 'This list is empty' }).waitFor();
  await looked(page, visitor, 'client-list-empty');

  const text = 'For the readers of lists';
  await publish(Number(author.databaseId), text);
  await openPicker(page, author);
  const friends = page.getByRole('checkbox', { name: /^Friends/ });
  assert.equal(await friends.isChecked(), false);
  await friends.focus();
  await changed(page, { click: () => page.keyboard.press('Space') }, /addToList/);
  await page.getByRole('checkbox', { name: 'Friends Private · 1 member', checked: true }).waitFor();
  await page.getByRole('button', { name: 'New list' }).press('Enter');
  await focused(page.getByRole('textbox', { name: 'Name' }), page);
  await page.keyboard.type('Work');
  await page.getByRole('checkbox', { name: 'Public list' }).press('Space');
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', { name: 'Work Public · 1 member', checked: true }).waitFor();
  await focused(page.getByRole('button', { name: 'New list' }), page);
  await looked(page, visitor, 'client-list-picker');
  await page.keyboard.press('Escape');
  await focused(page.getByRole('button', { name: /^Mute, hide from/ }), page);

  await page.goto('/lists');
  await row(page, /^Work Public · 1 member$/).waitFor();
  await looked(page, visitor, 'client-lists');
  await row(page, /^Friends/).press('Enter');
  await listOf(page, 'Friends').getByText(text).waitFor();
  assert.equal(await page.title(), 'Friends · Tideline');
  await page.keyboard.press('j');
  await focused(postWith(page, text), page);
  await looked(page, visitor, 'client-list');

  await page.getByRole('button', { name: 'List settings' }).press('Enter');
  const name = dialog(page, 'List settings').getByRole('textbox', { name: 'Name' });
  await name.fill('Close friends');
  await page.getByRole('checkbox', { name: 'Public list' }).press('Space');
  await page.getByRole('checkbox', { name: 'Keep out of the home feed' }).press('Space');
  await looked(page, visitor, 'client-list-settings');
  await name.press('Enter');
  await page.getByRole('heading', { name: 'Close friends' }).waitFor();
  await page.getByText('Public · 1 member').waitFor();
  const { viewer } = await ask(owner, '{ viewer { lists { id name isPublic exclusive memberCount } } }');
  const { id } = viewer.lists.find((list) => list.name === 'Close friends');
  const { isPublic, exclusive } = viewer.lists.find((list) => list.id === id);
  assert.deepEqual({ isPublic, exclusive }, { isPublic: true, exclusive: true });

  await add(owner, id, other.id);
  await tab(page, 'Members').press('Enter');
  const members = page.getByRole('list', { name: 'Members of Close friends' });
  await members.getByText(`@${other.handle}`).waitFor();
  await looked(page, visitor, 'client-list-members');
  await changed(page, { click: () => members.getByRole('button', { name: `Remove @${author.handle} from the list` }).press('Enter') }, /removeFromList/);
  await members.getByText(`@${author.handle}`).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement.closest('li') !== null), true, 'the next member has the focus');
  await page.getByText('Public · 1 member').waitFor();
  await tab(page, 'Posts').press('Enter');
  await postWith(page, text).waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'List settings' }).press('Enter');
  await page.getByRole('button', { name: 'Delete list' }).press('Enter');
  await dialog(page, 'Delete Close friends?').waitFor();
  await visitor.picture('client-list-delete');
  await changed(page, { click: () => dialog(page, 'Delete Close friends?').getByRole('button', { name: 'Delete list' }).press('Enter') }, /deleteList/);
  await row(page, /^Work/).waitFor();
  assert.equal(await row(page, /friends/).count(), 0);
  await page.goto(`/lists/${id}`);
  await page.getByRole('heading', { name: 'List not found' }).waitFor();
});

visit('a list shows the number of new posts, and hides muted users at once', { user: 72, screen: phone }, async (page, visitor) => {
  const [author, other] = await following(72, 2);
  const id = await make(72, { name: 'Tides' });
  await add(72, id, author.id, other.id);
  await publish(Number(author.databaseId), 'The first tide');
  await page.goto(`/lists/${id}`);
  await postWith(page, 'The first tide').waitFor();
  await looked(page, visitor, 'client-list-phone');
  await publish(Number(other.databaseId), 'The next tide');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const pill = page.getByRole('button', { name: '1 new post' });
  await pill.waitFor();
  assert.equal(await page.title(), '(1) Tides · Tideline');
  await visitor.picture('client-list-news-phone');
  await pill.click();
  const post = postWith(page, 'The next tide');
  await post.waitFor();
  await pill.waitFor({ state: 'detached' });
  await post.getByRole('button', { name: /^More on this post/ }).click();
  await changed(page, page.getByRole('menuitem', { name: `Mute @${other.handle} Remove` }), /muteUser/);
  await post.waitFor({ state: 'detached' });
  await postWith(page, 'The first tide').waitFor();
  await openPicker(page, author);
  await page.getByRole('checkbox', { name: /^Tides/, checked: true }).waitFor();
  await looked(page, visitor, 'client-list-picker-phone');
});

visit('limits are shown where they are met', { user: 73 }, async (page, visitor) => {
  const [author] = await following(73, 1);
  const full = await make(73, { name: 'Full' });
  await page.route('**/graphql', async (route) => {
    const body = route.request().postData() ?? '';
    if (!/addToList/.test(body)) return route.fallback();
    return route.fulfill({ json: { data: { payload: { list: null, userErrors: [{ code: 'CONFLICT', message: 'a list has at most 5000 members' }] } } } });
  });
  await openPicker(page, author);
  const box = page.getByRole('checkbox', { name: /^Full/ });
  await box.press('Space');
  await page.getByRole('alert').getByText('A list has at most 5000 members.').waitFor();
  await until('the box is empty again', async () => !(await box.isChecked()));
  await visitor.picture('client-list-full');
  assert.ok(full);

  for (let made = 1; made < 100; made++) await make(73, { name: `${made}` });
  await page.goto('/lists');
  await row(page, /^Full/).waitFor();
  await page.getByRole('button', { name: 'New list' }).click();
  await dialog(page, 'New list').getByRole('textbox').fill('One more');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('alert').getByText('A user has at most 100 lists.').waitFor();
  await visitor.picture('client-lists-full');
});

visit('others see a public list only, and cannot change it', { user: 74 }, async (page, visitor, open) => {
  const [author] = await following(75, 1);
  const { handle } = await account(75);
  const secret = await make(75, { name: 'Secret' });
  const shown = await make(75, { name: 'Shown', isPublic: true });
  await add(75, shown, author.id);
  await publish(Number(author.databaseId), 'On a public list');
  for (const { page: at } of [visitor, await open({})]) {
    await at.goto(`/lists/${shown}`);
    await postWith(at, 'On a public list').waitFor();
    await at.getByRole('link', { name: `@${handle}`, exact: true }).waitFor();
    assert.equal(await at.getByRole('button', { name: 'List settings' }).count(), 0);
    await tab(at, 'Members').click();
    await at.getByRole('list', { name: 'Members of Shown' }).getByText(`@${author.handle}`).waitFor();
    assert.equal(await at.getByRole('button', { name: /from the list$/ }).count(), 0);
    await at.goto(`/lists/${secret}`);
    await at.getByRole('heading', { name: 'List not found' }).waitFor();
  }
});
