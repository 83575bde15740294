// The client by keyboard.
import assert from 'node:assert/strict';
import { homeList, openHome, postWith } from '../support/feed.mjs';
import { homeFeed } from '../support/server.mjs';
import { visit } from '../support/visitor.mjs';

const user = 19;

// focused returns the name of the focused element, and whether the focus is visible on it or its
// parent.
const focused = (page) => page.evaluate(() => {
  const at = document.activeElement;
  const look = () => [at, at.parentElement].map((element) => {
    const { outlineStyle, boxShadow, borderColor } = getComputedStyle(element);
    return [outlineStyle, boxShadow, borderColor].join();
  }).join();
  const having = look();
  at.blur();
  const lacking = look();
  at.focus({ focusVisible: true });
  return { name: at.getAttribute('aria-label') ?? at.textContent.trim(), seen: having !== lacking };
});

visit('posting, reading, liking and replying work by keyboard', { user }, async (page) => {
  await openHome(page);
  await page.keyboard.press('Tab');
  assert.deepEqual((await focused(page)).name, 'Skip to content');
  await page.keyboard.press('Enter');
  assert.ok(await page.evaluate(() => document.activeElement.id === 'main'), 'the skip link leads nowhere');

  await page.keyboard.press('n');
  await page.getByRole('dialog', { name: 'New post' }).waitFor();
  await page.keyboard.type('By keys alone');
  await page.keyboard.press('Control+Enter');
  await postWith(page, 'By keys alone').getByRole('group', { name: 'Actions' }).waitFor();
  assert.equal((await homeFeed(user, 1))[0].text, 'By keys alone');

  await page.keyboard.press('j');
  const first = homeList(page).getByRole('article').first();
  assert.ok(await first.evaluate((post) => post === document.activeElement), 'j goes to the first post');
  await page.keyboard.press('l');
  await first.getByRole('button', { name: /^Like/, pressed: true }).waitFor();
  await page.keyboard.press('r');
  const reply = page.getByRole('dialog', { name: 'Reply' });
  await reply.waitFor();
  await page.keyboard.press('Escape');
  await reply.waitFor({ state: 'detached' });

  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.getByRole('searchbox', { name: 'Search for people' }).waitFor();
  assert.ok(await page.getByRole('searchbox', { name: 'Search for people' }).evaluate((field) => field === document.activeElement));
});

visit('every Tab stop has a visible focus', { user }, async (page) => {
  await openHome(page);
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    const { name, seen } = await focused(page);
    assert.notEqual(name, '', `stop ${i + 1} has no name`);
    assert.ok(seen, `nothing shows that “${name}” has the focus`);
  }
});

visit('a menu works by keyboard and returns the focus', { user }, async (page) => {
  await openHome(page);
  const more = homeList(page).getByRole('article').first().getByRole('button', { name: /^More on this post/ });
  await more.focus();
  await page.keyboard.press('Enter');
  const items = page.getByRole('menuitem');
  await items.first().waitFor();
  await page.keyboard.press('ArrowDown');
  assert.ok(await items.nth(1).evaluate((item) => item === document.activeElement));
  await page.keyboard.press('Escape');
  await items.first().waitFor({ state: 'detached' });
  assert.ok(await more.evaluate((button) => button === document.activeElement));
});

visit('going back focuses the post that was left', { user }, async (page) => {
  await openHome(page);
  const isFocused = (n) => homeList(page).getByRole('article').nth(n).evaluate((post) => post === document.activeElement);
  for (let i = 0; i < 3; i++) await page.keyboard.press('j');
  assert.ok(await isFocused(2));
  await page.keyboard.press('Enter');
  await page.getByRole('feed', { name: 'Replies to the post' }).or(page.getByText('No replies yet.')).waitFor();
  await page.goBack();
  await homeList(page).waitFor();
  assert.ok(await isFocused(2), 'the focus is elsewhere');
  await page.keyboard.press('j');
  assert.ok(await isFocused(3), 'j goes elsewhere');
});
