// What a visitor does with his own posts and with those of others.
import assert from 'node:assert/strict';
import { changed, homeList, openHome, postWith } from '../support/feed.mjs';
import { ask, following, homeFeed, publish, tokenOf, until } from '../support/server.mjs';
import { visit } from '../support/visitor.mjs';

const writer = 13;

// compose writes a new post on the home page.
async function compose(page, text) {
  const composer = page.getByRole('form', { name: 'New post' }).first();
  await composer.getByRole('textbox').fill(text);
  await composer.getByRole('button', { name: 'Post' }).click();
  const post = postWith(page, text);
  await post.getByRole('group', { name: 'Actions' }).waitFor(); // which only what is published has
  return post;
}

// choose chooses from a menu of a post.
async function choose(post, menu, item) {
  await post.getByRole('button', { name: menu }).click();
  await post.getByRole('menuitem', { name: item }).click();
}

visit('a post is written, changed and deleted', { user: writer }, async (page, visitor) => {
  await openHome(page);
  const post = await compose(page, 'Low tide at noon');
  assert.equal((await homeFeed(writer, 1))[0].text, 'Low tide at noon');

  await choose(post, /^More on this post/, 'Edit');
  await page.getByRole('textbox', { name: 'Text of the post' }).fill('High tide at noon');
  await changed(page, page.getByRole('button', { name: 'Save' }), /editPost/);
  const edited = postWith(page, 'High tide at noon');
  await edited.getByText('edited').waitFor();
  assert.equal((await homeFeed(writer, 1))[0].text, 'High tide at noon');

  await choose(edited, /^More on this post/, 'Delete');
  await visitor.picture('client-delete');
  await changed(page, page.getByRole('dialog', { name: 'Delete this post?' }).getByRole('button', { name: 'Delete' }), /deletePost/);
  await edited.waitFor({ state: 'detached' });
  assert.notEqual((await homeFeed(writer, 1))[0].text, 'High tide at noon');
});

visit('a post that is not to be deleted stays', { user: writer }, async (page) => {
  await openHome(page);
  const post = await compose(page, 'Better kept');
  await choose(post, /^More on this post/, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal((await homeFeed(writer, 1))[0].text, 'Better kept');
});

visit('likes and favorites hold when the page is loaded anew, and are taken back', { user: writer }, async (page) => {
  await openHome(page);
  await compose(page, 'Likeable');
  for (const pressed of [true, false]) {
    for (const name of [/^Like/, /^Favorite/]) {
      await changed(page, postWith(page, 'Likeable').getByRole('button', { name }), /ikePost|avoritePost/);
    }
    await page.reload();
    for (const name of [/^Like/, /^Favorite/]) {
      await postWith(page, 'Likeable').getByRole('button', { name, pressed }).waitFor();
    }
  }
});

visit('a reply stands below what it answers, and is counted there', { user: writer }, async (page, visitor) => {
  await openHome(page);
  const post = await compose(page, 'Who has seen the seals?');
  await post.getByRole('button', { name: /^Reply/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Reply' });
  await dialog.getByRole('textbox').fill('They lie on the sandbank');
  await visitor.picture('client-reply');
  await dialog.getByRole('button', { name: 'Reply' }).click();
  await dialog.waitFor({ state: 'detached' });
  await postWith(page, 'Who has seen the seals?').getByRole('button', { name: 'Reply, 1 reply' }).waitFor();
  await postWith(page, 'Who has seen the seals?').getByText('Who has seen the seals?').first().click();
  await page.getByRole('feed', { name: 'Replies to the post' }).getByText('They lie on the sandbank').waitFor();
});

visit('a post is shown again, with words and without', { user: writer }, async (page) => {
  const [author] = await following(writer, 1);
  await publish(Number(author.databaseId), 'Worth showing again');
  await openHome(page);
  const original = postWith(page, 'Worth showing again').last();
  await original.waitFor();
  await choose(original, /^Repost/, 'Repost with words');
  const dialog = page.getByRole('dialog', { name: 'Repost with words' });
  await dialog.getByRole('textbox').fill('Look at this');
  await dialog.getByRole('button', { name: 'Repost' }).click();
  await postWith(page, 'Look at this').getByText('Worth showing again').waitFor();
  await choose(original, /^Repost/, /^Repost\b(?! with)/);
  await original.getByRole('button', { name: 'Repost, 2 reposts' }).waitFor();
  // The page counts what is still on its way to the server.
  await until('the server has both', async () => {
    const { viewer } = await ask(writer, '{ viewer { homeFeed(first: 2) { nodes { kind repostOf { text } } } } }');
    return viewer.homeFeed.nodes.every(({ kind, repostOf }) => kind === 'REPOST' && repostOf?.text === 'Worth showing again');
  });
});

visit('what cannot be sent is not lost', { user: writer }, async (page, visitor) => {
  await openHome(page);
  const mend = await failing(page, visitor);
  const field = newPost(page);
  await field.fill('Written on a train');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Not published').waitFor();
  await visitor.picture('client-not-published');
  assert.equal(await field.inputValue(), 'Written on a train');
  assert.equal(await homeList(page).getByText('Written on a train').count(), 0);
  await mend();
  await page.getByRole('form', { name: 'New post' }).first().getByRole('button', { name: 'Post' }).click();
  await postWith(page, 'Written on a train').getByRole('group', { name: 'Actions' }).waitFor();
});

// newPost is the field for a new post on the home page, and its dialog anywhere.
const newPost = (page) => page.getByRole('form', { name: 'New post' }).first().getByRole('textbox');
const dialogOf = (page, name) => page.getByRole('dialog', { name }).getByRole('textbox');

// failing has publishing fail until the returned function is called.
async function failing(page, visitor) {
  visitor.expects(/ERR_FAILED|Failed to load resource/);
  await page.route('**/graphql', (route) => (/publishPost/.test(route.request().postData() ?? '') ? route.abort() : route.continue()));
  return () => page.unroute('**/graphql');
}

visit('what was sent by trying again is not left in the field as if it were not', { user: writer }, async (page, visitor) => {
  await openHome(page);
  const mend = await failing(page, visitor);
  await newPost(page).fill('Sent at the second go');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Not published').waitFor();
  await mend();
  await page.getByRole('button', { name: 'Try again' }).click();
  await postWith(page, 'Sent at the second go').getByRole('group', { name: 'Actions' }).waitFor();
  await until('the field is empty', async () => (await newPost(page).inputValue()) === '');
});

visit('a reply that could not be sent is in its dialog again, and in no other', { user: writer }, async (page, visitor) => {
  await openHome(page);
  await compose(page, 'Replied to in vain');
  await compose(page, 'Not replied to');
  const reply = (text) => postWith(page, text).getByRole('button', { name: /^Reply/ }).click();
  const mend = await failing(page, visitor);
  await reply('Replied to in vain');
  await dialogOf(page, 'Reply').fill('A reply that waits');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Not published').waitFor();
  await mend();
  await reply('Not replied to');
  assert.equal(await dialogOf(page, 'Reply').inputValue(), '');
  await page.keyboard.press('Escape');
  assert.equal(await newPost(page).inputValue(), '');
  await reply('Replied to in vain');
  assert.equal(await dialogOf(page, 'Reply').inputValue(), 'A reply that waits');
  await page.keyboard.press('Control+Enter');
  await postWith(page, 'Replied to in vain').getByRole('button', { name: 'Reply, 1 reply' }).waitFor();
  await until('it was sent once', async () => (await homeFeed(writer, 5)).filter(({ text }) => text === 'A reply that waits').length === 1);
  await reply('Replied to in vain');
  assert.equal(await dialogOf(page, 'Reply').inputValue(), '');
});

visit('what one writes outlives a closed dialog and a page loaded anew, until one signs out', { user: writer }, async (page) => {
  await openHome(page);
  await page.keyboard.press('n');
  await dialogOf(page, 'New post').fill('Half a thought');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('n');
  assert.equal(await dialogOf(page, 'New post').inputValue(), 'Half a thought');
  await page.keyboard.press('Escape');
  await page.reload();
  assert.equal(await newPost(page).inputValue(), 'Half a thought');
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('With a token').fill(tokenOf(writer));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  assert.equal(await newPost(page).inputValue(), '');
});

// The focus is back on the page, or still where it was: the browser moves it as it draws the page.
for (const [where, focus] of [['on the page', 'body'], ['in what has closed', 'dialog textarea']]) {
  visit(`a dialog that is asked for while another one closes is there, with the focus ${where}`, { user: writer }, async (page) => {
    await openHome(page);
    await page.keyboard.press('n');
    await dialogOf(page, 'New post').waitFor();
    // All at once, so before the browser tells that it has closed the first one.
    await page.evaluate((selector) => {
      const dialog = document.querySelector('dialog');
      const told = new Promise((done) => dialog.addEventListener('close', done));
      dialog.close();
      document.querySelector(selector).dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true, cancelable: true }));
      return told.then(() => undefined);
    }, focus);
    await dialogOf(page, 'New post').fill('The second one');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
}

visit('a sign-in that has expired is told, and what was written is there after the next', { user: writer }, async (page, visitor) => {
  visitor.expects(/401/);
  await openHome(page);
  await newPost(page).fill('Written on the last minute');
  await visitor.context.clearCookies();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Your sign-in has expired.').waitFor();
  await visitor.picture('client-expired');
  // Another user finds nothing of it.
  for (const [user, text] of [[writer + 1, ''], [writer, 'Written on the last minute']]) {
    await visitor.context.clearCookies();
    await visitor.context.request.post('/session', { data: { token: tokenOf(user) } });
    await openHome(page);
    assert.equal(await newPost(page).inputValue(), text);
  }
});
