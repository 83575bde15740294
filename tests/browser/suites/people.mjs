// Searching, following, muting, hiding and blocking users.
import assert from 'node:assert/strict';
import { changed, homeList, openHome, postWith } from '../support/feed.mjs';
import { ask, change, following, homeFeed, publish } from '../support/server.mjs';
import { valve } from '../support/valve.mjs';
import { visit } from '../support/visitor.mjs';

const reader = 14;

// The follow button in both states.
const follow = ({ handle }) => ({ name: `Follow @${handle}`, exact: true });
const unfollow = ({ handle }) => ({ name: `Following @${handle}, unfollow` });

// followedAuthor returns the n-th user that the reader follows, after publishing a post as them.
async function followedAuthor(n) {
  const author = (await following(reader, n + 1))[n];
  await publish(Number(author.databaseId), `By number ${n}`);
  return author;
}

// by locates the posts of an author: their accessible names begin with the author's.
const by = (page, { handle }) => homeList(page).getByRole('article', { name: new RegExp(`^[^@]*@${handle}\\b`) });

// gone waits until the page has no posts of an author, and asserts the same of the server.
async function gone(page, author) {
  await by(page, author).first().waitFor({ state: 'detached' });
  assert.equal(await by(page, author).count(), 0);
  assert.deepEqual((await homeFeed(reader, 300)).filter((post) => post.author.handle === author.handle), []);
}

const menuOf = (page, author) => by(page, author).first().getByRole('button', { name: /^More on this post/ });

// chooseOf chooses from the menu of an author's newest post. Below a mute is one for a day.
async function chooseOf(page, author, item) {
  await menuOf(page, author).click();
  await changed(page, page.getByRole('menuitem', { name: `${item} @${author.handle}` }).first());
}

// keepBack holds the response to the page's next query of a name. It returns a promise that the
// server has responded, and a function that releases the response.
async function keepBack(page, query) {
  const [answered, nowAnswered] = valve();
  const [released, release] = valve();
  let held = false;
  await page.route('**/graphql', async (route) => {
    if (held || !route.request().postData()?.includes(`query ${query}(`)) return route.fallback();
    held = true;
    const response = await route.fetch();
    nowAnswered();
    await released;
    return route.fulfill({ response });
  });
  return [answered, release];
}

visit('search finds people by prefix, who can be followed', { user: reader }, async (page, visitor) => {
  await page.goto('/search');
  const field = page.getByRole('searchbox', { name: 'Search for people' });
  await field.fill('no such user');
  await page.getByRole('heading', { name: 'No results' }).waitFor();
  await visitor.picture('client-search-empty');
  await field.fill('star1');
  const found = page.getByRole('list', { name: 'Results for star1' });
  await found.getByText('@star1').waitFor();
  assert.match(page.url(), /\/search\?q=star1$/);
  await found.getByRole('button', unfollow({ handle: 'star1' })).click();
  await found.getByRole('button', follow({ handle: 'star1' })).click();
  await found.getByRole('button', unfollow({ handle: 'star1' })).waitFor();
  await found.getByRole('link').first().click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  assert.match(page.url(), /\/u\/star1$/);
});

visit('unfollow removes posts, follow restores them', { user: reader }, async (page) => {
  const author = await followedAuthor(0);
  await openHome(page);
  await by(page, author).first().waitFor();
  await chooseOf(page, author, 'Unfollow');
  await gone(page, author);
  await page.reload();
  await homeList(page).getByRole('article').first().waitFor();
  assert.equal(await by(page, author).count(), 0);

  await page.goto(`/u/${author.handle}`);
  await changed(page, page.getByRole('button', follow(author)));
  await page.getByRole('button', unfollow(author)).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: /^Home/ }).click();
  await postWith(page, 'By number 0').first().waitFor();
});

for (const [n, [item, note]] of [['Mute', /^Muted\./], ['Block', /^Blocked\./]].entries()) {
  visit(`${item.toLowerCase()} removes posts until it is undone`, { user: reader }, async (page) => {
    const author = await followedAuthor(n + 1);
    await openHome(page);
    await by(page, author).first().waitFor();
    await chooseOf(page, author, item);
    await gone(page, author);
    await page.goto(`/u/${author.handle}`);
    await page.getByText(note).waitFor();
    await changed(page, page.getByRole('button', { name: `Un${item.toLowerCase()} @${author.handle}` }));
    await page.getByText(note).waitFor({ state: 'detached' });
    await openHome(page);
    await postWith(page, `By number ${n + 1}`).first().waitFor();
  });
}

visit('a mute ends by itself', { user: reader }, async (page, visitor) => {
  const author = await followedAuthor(4);
  await openHome(page);
  await menuOf(page, author).click();
  await visitor.picture('client-mute-menu');
  const [request] = await Promise.all([
    page.waitForRequest((one) => Boolean(one.postData()?.includes('"until"'))),
    changed(page, page.getByRole('menuitem', { name: `Mute @${author.handle} for a week` })),
  ]);
  assert.equal(Math.round((Date.parse(request.postDataJSON().variables.until) - Date.now()) / 3_600_000), 7 * 24);
  await gone(page, author);
  await change(reader, 'unmuteUser', 'UserIdInput', { userId: author.id });
});

visit('a blocked profile is empty until it is unblocked', { user: reader }, async (page, visitor) => {
  const author = await followedAuthor(3);
  const input = { title: `Seen of ${author.handle}`, scheduledAt: new Date(Date.now() + 60_000).toISOString() };
  const { liveSession } = await change(Number(author.databaseId), 'scheduleLive', 'ScheduleLiveInput', input, 'liveSession { id }');
  await change(Number(author.databaseId), 'startLive', 'LiveIdInput', { liveSessionId: liveSession.id });
  const posts = page.getByRole('feed', { name: `Posts by ${author.name}` });
  const soon = page.getByRole('region', { name: 'Live and upcoming' }).getByText(input.title);
  const press = async (relation) => {
    await page.getByRole('button', { name: `Mute, hide from or block @${author.handle}` }).click();
    await changed(page, page.getByRole('menuitem', { name: `${relation} @${author.handle}` }).first());
  };
  await page.goto(`/u/${author.handle}`);
  await posts.getByText('By number 3').waitFor();
  await soon.waitFor();

  await press('Block');
  await posts.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: `You blocked @${author.handle}` }).waitFor();
  await soon.waitFor({ state: 'detached' });
  await visitor.picture('client-blocked');
  // The response of the sidebar is from before the change, and arrives after it.
  const [answered, release] = await keepBack(page, 'LiveNowQuery');
  await page.reload();
  await page.getByRole('heading', { name: `You blocked @${author.handle}` }).waitFor();
  await answered;
  await press('Unblock');
  await posts.getByText('By number 3').waitFor();
  release();
  await soon.waitFor();

  await press('Mute');
  await soon.waitFor({ state: 'detached' });
  assert.ok(await posts.getByText('By number 3').isVisible());
  await press('Unmute');
  await soon.waitFor();
});

visit('a user does not see posts hidden from them', { user: reader }, async (page, visitor, open) => {
  const [friend] = await following(reader, 1);
  const { viewer } = await ask(reader, '{ viewer { user { id } } }');
  await change(Number(friend.databaseId), 'followUser', 'UserIdInput', { userId: viewer.user.id });
  await publish(reader, 'Not for all users');
  await page.goto(`/u/${friend.handle}`);
  await page.getByRole('button', { name: `Mute, hide from or block @${friend.handle}` }).click();
  await changed(page, page.getByRole('menuitem', { name: `Hide from @${friend.handle}` }));
  await page.getByText('They cannot see your posts.').waitFor();
  const { page: other } = await open({ user: Number(friend.databaseId) });
  await openHome(other);
  assert.equal(await postWith(other, 'Not for all users').count(), 0);
  await changed(page, page.getByRole('button', { name: `Stop hiding from @${friend.handle}` }));
  await page.getByText('They cannot see your posts.').waitFor({ state: 'detached' });
  await openHome(other);
  await postWith(other, 'Not for all users').waitFor();
});
