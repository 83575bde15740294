// What a visitor does with his own posts and with those of others.
import assert from 'node:assert/strict';
import { changed, homeList, openHome, postWith } from '../support/feed.mjs';
import { ask, following, homeFeed, publish, until } from '../support/server.mjs';
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
  visitor.expects(/ERR_FAILED|Failed to load resource/);
  await openHome(page);
  await page.route('**/graphql', (route) => (/publishPost/.test(route.request().postData() ?? '') ? route.abort() : route.continue()));
  const field = page.getByRole('form', { name: 'New post' }).first().getByRole('textbox');
  await field.fill('Written on a train');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Not published').waitFor();
  await visitor.picture('client-not-published');
  assert.equal(await field.inputValue(), 'Written on a train');
  assert.equal(await homeList(page).getByText('Written on a train').count(), 0);
  await page.unroute('**/graphql');
  await page.getByRole('form', { name: 'New post' }).first().getByRole('button', { name: 'Post' }).click();
  await postWith(page, 'Written on a train').getByRole('group', { name: 'Actions' }).waitFor();
});
