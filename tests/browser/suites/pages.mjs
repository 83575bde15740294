// Every page on every screen in both themes: pictures and the accessibility rules of axe.
import assert from 'node:assert/strict';
import { violations } from '../support/axe.mjs';
import { homeList } from '../support/feed.mjs';
import { group, listed } from '../support/live.mjs';
import { ask, change, following, until } from '../support/server.mjs';
import { desk, fits, phone, visit } from '../support/visitor.mjs';

const user = 10;

const list = (page) => page.getByRole('article').first().waitFor();
const heading = (name) => (page) => page.getByRole('heading', { name }).first().waitFor();

// postWithReplies returns the address of a popular author's post.
async function postWithReplies() {
  const { user: star } = await ask(user, '{ user(handle: "star1") { posts(first: 50) { nodes { id counters { comments } } } } }');
  const { id } = star.posts.nodes.reduce((most, post) => (post.counters.comments > most.counters.comments ? post : most));
  return `/p/${id}`;
}

// A user whose account is private, and users who ask to follow it.
const owner = 56;
const guests = [57, 58, 59];

// closedProfile makes the account private and returns its address.
async function closedProfile() {
  const { viewer } = await ask(owner, '{ viewer { user { handle isPrivate } } }');
  if (!viewer.user.isPrivate) await change(owner, 'updateProfile', 'UpdateProfileInput', { isPrivate: true });
  return `/u/${viewer.user.handle}`;
}

// requestsToOwner returns the address of the page that lists requests to follow the account.
async function requestsToOwner() {
  await closedProfile();
  const { viewer } = await ask(owner, '{ viewer { user { id } } }');
  for (const guest of guests) {
    await change(guest, 'unfollowUser', 'UserIdInput', { userId: viewer.user.id });
    await change(guest, 'followUser', 'UserIdInput', { userId: viewer.user.id });
  }
  return '/requests';
}

// The pages by name: address, visitor, and what to wait for.
const pages = {
  welcome: { address: '/', user: undefined, ready: heading('Sign in') },
  home: { address: '/', ready: list },
  profile: { address: '/u/star1', ready: list },
  following: { address: '/u/star1?tab=following', ready: (page) => page.getByRole('list', { name: /^Followed by/ }).getByRole('listitem').first().waitFor() },
  options: { address: followedProfile, user: owner, ready: openOptions },
  special: { address: '/?tab=special', ready: heading('No posts by special follows') },
  filter: { address: '/?only=posts,replies', ready: openFilter },
  post: { address: postWithReplies, ready: (page) => page.getByRole('feed', { name: 'Replies to the post' }).waitFor() },
  live: { address: '/live', ready: (page) => listed(page, group(page, 'Past')) },
  search: { address: '/search?q=s', ready: (page) => page.getByRole('list', { name: /^Results for/ }).waitFor() },
  settings: { address: '/settings', ready: (page) => page.getByRole('switch', { name: 'Private account' }).waitFor() },
  requests: { address: requestsToOwner, user: owner, ready: (page) => page.getByRole('list', { name: 'Users who ask to follow you' }).waitFor() },
  moderation: { address: '/moderation', claims: { role: 'moderator' }, ready: heading('Moderation') },
  closed: { address: closedProfile, user: undefined, ready: heading('This account is private') },
  keys: { address: '/', ready: openKeys },
  writing: { address: '/', ready: openWriting },
};

async function openKeys(page) {
  await list(page);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
}

async function openWriting(page) {
  await list(page);
  await homeList(page).getByRole('article').first().getByRole('button', { name: /^Reply/ }).click();
  await page.getByRole('dialog', { name: 'Reply' }).waitFor();
}

// followedProfile returns the address of a special follow, whose reposts are hidden.
async function followedProfile() {
  const [{ id, handle }] = await following(owner, 1);
  await change(owner, 'updateFollow', 'UserIdInput', { userId: id }, '', {}, ', special: true, hideReposts: true');
  return `/u/${handle}`;
}

async function openFilter(page) {
  await list(page);
  await page.getByRole('button', { name: 'Filter, Posts, Replies' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Reposts', checked: false }).waitFor();
}

async function openOptions(page) {
  await page.getByRole('button', { name: /^Special follow/, pressed: true }).waitFor();
  await page.getByRole('button', { name: /^Mute, hide from/ }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Hide reposts', checked: true }).waitFor();
  assert.ok((await page.getByRole('menu').boundingBox()).x >= 0, 'the menu is not on the screen');
}

// The screens, and the themes to check there; phone and desk have the same colours.
const screens = [['desk', desk, ['light', 'dark']], ['phone', phone, ['light']]];

for (const [name, { address, ready, ...who }] of Object.entries(pages)) {
  for (const [screen, kind, judged] of screens) {
    visit(`the page ${name} is accessible and fits a ${screen}`, { user, screen: kind, ...who }, async (page, visitor) => {
      await page.goto(typeof address === 'string' ? address : await address());
      await ready(page);
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        await visitor.picture(`client-${name}-${screen}-${colorScheme}`);
        if (judged.includes(colorScheme)) assert.deepEqual(await violations(page), []);
      }
      await fits(page);
    });
  }
}

visit('axe finds a violation', {}, async (page) => {
  await page.goto('/');
  await heading('Sign in')(page);
  await page.evaluate(() => document.querySelector('main').append(new Image()));
  const found = await violations(page);
  assert.match(found.join('\n'), /^image-alt: .*: img: /m);
});

// Widths between those of phone and desk, and the smallest.
for (const width of [320, 768]) {
  visit(`the client fits ${width} pixels`, { user: owner, screen: { viewport: { width, height: 800 } } }, async (page) => {
    for (const address of ['/', await followedProfile(), '/live', '/search', '/settings', '/u/star1']) {
      await page.goto(address);
      await page.locator('h1').first().waitFor();
      await page.waitForFunction(() => !document.querySelector('.loading'));
      await fits(page);
    }
  });
}

// A user whose name, handle and texts are single words of maximum length.
const verbose = 25;
const handle = 'h'.repeat(64);

// speakAtLength fills every field of the user's data, and returns the address of a post.
async function speakAtLength() {
  await change(verbose, 'updateProfile', 'UpdateProfileInput', { handle, name: 'N'.repeat(200) });
  const title = 't'.repeat(200);
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  await change(verbose, 'scheduleLive', 'ScheduleLiveInput', { title, scheduledAt });
  const { liveSession } = await change(verbose, 'scheduleLive', 'ScheduleLiveInput', { title, scheduledAt }, 'liveSession { id }');
  await change(verbose, 'startLive', 'LiveIdInput', { liveSessionId: liveSession.id });
  await change(verbose, 'endLive', 'EndLiveInput', { liveSessionId: liveSession.id, replayUrl: 'https://replays.example/1' });
  const text = 'x'.repeat(500);
  const said = await change(verbose, 'publishPost', 'PublishPostInput', { text }, 'post { id }');
  await change(verbose, 'publishPost', 'PublishPostInput', { text: `https://${text}.example/${text}`, repostOf: said.post.id });
  const reply = await change(verbose, 'publishPost', 'PublishPostInput', { text: `@${handle}`, replyTo: said.post.id }, 'post { id }');
  return `/p/${reply.post.id}`;
}

for (const [screen, kind] of [['desk', desk], ['phone', phone]]) {
  visit(`an endless word fits a ${screen}`, { user: verbose, screen: kind }, async (page, visitor) => {
    const reply = await speakAtLength();
    const session = (at) => listed(at, group(at, 'Past').getByRole('listitem'));
    const long = {
      home: ['/', list],
      profile: [`/u/${handle}`, list],
      post: [reply, list],
      live: ['/live', session],
      'profile-live': [`/u/${handle}?tab=live`, session],
      search: [`/search?q=${handle}`, (at) => at.getByRole('list', { name: /^Results for/ }).getByRole('listitem').first().waitFor()],
      settings: ['/settings', heading('Settings')],
    };
    for (const [name, [address, ready]] of Object.entries(long)) {
      await page.goto(address);
      await ready(page);
      await visitor.picture(`client-long-${name}-${screen}`);
      await fits(page);
    }
    await page.goto('/');
    await list(page);
    await page.getByRole('button', { name: /^Reply/ }).first().click();
    await page.getByRole('dialog', { name: 'Reply' }).waitFor();
    await visitor.picture(`client-long-writing-${screen}`);
    await fits(page);
  });
}

visit('the compose button does not cover the last row', { user, screen: phone }, async (page) => {
  await page.goto('/u/star1?tab=following');
  const last = page.getByRole('list', { name: /^Followed by/ }).getByRole('listitem').last();
  await last.waitFor();
  const more = page.getByText('Loading more').or(page.getByRole('button', { name: 'Show more' }));
  await until('the end of the list is above the button', async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    if (await more.count()) return false;
    const [row, button] = [await last.boundingBox(), await page.getByRole('button', { name: 'Write a post' }).boundingBox()];
    return row.y + row.height <= button.y;
  }, 30_000); // some pages load first
});

visit('right-to-left text is shown as such', { user: verbose }, async (page, visitor) => {
  await change(verbose, 'updateProfile', 'UpdateProfileInput', { name: '\u05d3\u05e0\u05d4 \u05db\u05d4\u05df' });
  await page.goto('/');
  await list(page);
  const text = '\u05e9\u05dc\u05d5\u05dd, Tideline!';
  const field = page.getByRole('form', { name: 'New post' }).getByRole('textbox');
  const direction = (at) => at.evaluate((element) => getComputedStyle(element).direction);
  await field.fill(text);
  assert.equal(await direction(field), 'rtl');
  await page.keyboard.press('Control+Enter');
  const post = page.getByRole('article').filter({ hasText: text });
  await post.getByRole('group', { name: 'Actions' }).waitFor();
  await visitor.picture('client-right-to-left');
  assert.equal(await direction(post.getByText(text)), 'rtl');
  assert.equal(await direction(post), 'ltr');
});
