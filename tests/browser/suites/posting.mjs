// Writing, editing, deleting, liking, replying and reposting.
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
  await post.getByRole('group', { name: 'Actions' }).waitFor(); // only published posts have actions
  return post;
}

// choose chooses from a menu of a post.
async function choose(post, menu, item) {
  await post.getByRole('button', { name: menu }).click();
  await post.getByRole('menuitem', { name: item }).click();
}

visit('a post is written, edited and deleted', { user: writer }, async (page, visitor) => {
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

visit('cancel keeps a post', { user: writer }, async (page) => {
  await openHome(page);
  const post = await compose(page, 'Better kept');
  await choose(post, /^More on this post/, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal((await homeFeed(writer, 1))[0].text, 'Better kept');
});

visit('likes and favorites survive a reload and can be removed', { user: writer }, async (page) => {
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

visit('a reply shows below its parent and is counted', { user: writer }, async (page, visitor) => {
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

visit('a post is reposted and quoted', { user: writer }, async (page) => {
  const [author] = await following(writer, 1);
  await publish(Number(author.databaseId), 'Worth showing again');
  await openHome(page);
  const original = postWith(page, 'Worth showing again').last();
  await original.waitFor();
  await choose(original, /^Repost/, 'Quote');
  const dialog = page.getByRole('dialog', { name: 'Quote post' });
  await dialog.getByRole('textbox').fill('Look at this');
  await dialog.getByRole('button', { name: 'Repost' }).click();
  await postWith(page, 'Look at this').getByText('Worth showing again').waitFor();
  await choose(original, /^Repost/, /^Repost/);
  await original.getByRole('button', { name: 'Repost, 2 reposts' }).waitFor();
  // The page counts posts that the server has not confirmed yet.
  await until('the server has both', async () => {
    const { viewer } = await ask(writer, '{ viewer { homeFeed(first: 2) { nodes { kind repostOf { text } } } } }');
    return viewer.homeFeed.nodes.every(({ kind, repostOf }) => kind === 'REPOST' && repostOf?.text === 'Worth showing again');
  });
  // A repost without words has the counters and actions of its original, a quote has its own.
  const repost = postWith(page, 'Worth showing again').first();
  await repost.getByRole('button', { name: 'Repost, 2 reposts' }).waitFor();
  await changed(page, repost.getByRole('button', { name: /^Like/ }), /likePost/);
  await original.getByRole('button', { name: /^Like/, pressed: true }).waitFor();
  await postWith(page, 'Look at this').getByRole('button', { name: /^Like/, pressed: false }).waitFor();
  const { viewer } = await ask(writer, '{ viewer { homeFeed(first: 1) { nodes { viewerHasLiked repostOf { viewerHasLiked } } } } }');
  assert.deepEqual(viewer.homeFeed.nodes, [{ viewerHasLiked: false, repostOf: { viewerHasLiked: true } }]);
});

visit('an unsent post is not lost', { user: writer }, async (page, visitor) => {
  await openHome(page);
  const mend = await failing(page, visitor);
  const field = newPost(page);
  await field.fill('Written on a train');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Could not publish').waitFor();
  await visitor.picture('client-not-published');
  assert.equal(await field.inputValue(), 'Written on a train');
  assert.equal(await homeList(page).getByText('Written on a train').count(), 0);
  await mend();
  await page.getByRole('form', { name: 'New post' }).first().getByRole('button', { name: 'Post' }).click();
  await postWith(page, 'Written on a train').getByRole('group', { name: 'Actions' }).waitFor();
});

// newPost is the field for a new post on the home page, dialogOf the field in a dialog.
const newPost = (page) => page.getByRole('form', { name: 'New post' }).first().getByRole('textbox');
const dialogOf = (page, name) => page.getByRole('dialog', { name }).getByRole('textbox');

// failing makes publishing fail until the returned function is called.
async function failing(page, visitor) {
  visitor.expects(/ERR_FAILED|Failed to load resource/);
  await page.route('**/graphql', (route) => (/publishPost/.test(route.request().postData() ?? '') ? route.abort() : route.continue()));
  return () => page.unroute('**/graphql');
}

visit('a successful retry clears the field', { user: writer }, async (page, visitor) => {
  await openHome(page);
  const mend = await failing(page, visitor);
  await newPost(page).fill('Sent at the second go');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Could not publish').waitFor();
  await mend();
  await page.getByRole('button', { name: 'Try again' }).click();
  await postWith(page, 'Sent at the second go').getByRole('group', { name: 'Actions' }).waitFor();
  await until('the field is empty', async () => (await newPost(page).inputValue()) === '');
});

visit('an unsent reply stays in its own dialog', { user: writer }, async (page, visitor) => {
  await openHome(page);
  await compose(page, 'Replied to in vain');
  await compose(page, 'Not replied to');
  const reply = (text) => postWith(page, text).getByRole('button', { name: /^Reply/ }).click();
  const mend = await failing(page, visitor);
  await reply('Replied to in vain');
  await dialogOf(page, 'Reply').fill('A reply that waits');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Could not publish').waitFor();
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

visit('a draft survives dialogs and reloads until sign-out', { user: writer }, async (page) => {
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

// The focus is on the page again, or still in the dialog: the browser moves it with the next frame.
for (const [where, focus] of [['on the page', 'body'], ['in the closed dialog', 'dialog textarea']]) {
  visit(`a dialog opens while another closes, with the focus ${where}`, { user: writer }, async (page) => {
    await openHome(page);
    await page.keyboard.press('n');
    await dialogOf(page, 'New post').waitFor();
    // In one task, before the browser reports that the first dialog has closed.
    await page.evaluate((selector) => {
      const dialog = document.querySelector('dialog');
      const closed = new Promise((done) => dialog.addEventListener('close', done));
      dialog.close();
      document.querySelector(selector).dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true, cancelable: true }));
      return closed.then(() => undefined);
    }, focus);
    await dialogOf(page, 'New post').fill('The second one');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
}

visit('an expired session keeps the draft for its user', { user: writer }, async (page, visitor) => {
  visitor.expects(/401/);
  await openHome(page);
  await newPost(page).fill('Written on the last minute');
  await visitor.context.clearCookies();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Your session has expired.').waitFor();
  await visitor.picture('client-expired');
  // Another user does not see the draft.
  for (const [user, text] of [[writer + 1, ''], [writer, 'Written on the last minute']]) {
    await visitor.context.clearCookies();
    await visitor.context.request.post('/session', { data: { token: tokenOf(user) } });
    await openHome(page);
    assert.equal(await newPost(page).inputValue(), text);
  }
});
