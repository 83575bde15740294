// Signing in and out.
import assert from 'node:assert/strict';
import { homeList } from '../support/feed.mjs';
import { demoLink, tokenOf } from '../support/server.mjs';
import { visit } from '../support/visitor.mjs';

visit('the demo link signs in, also after a reload', {}, async (page) => {
  await page.goto(demoLink);
  const users = page.getByRole('list', { name: 'As a demo user' }).getByRole('button');
  await users.last().waitFor();
  assert.equal(await users.count(), 8);
  assert.equal(new URL(page.url()).hash, '');
  await users.nth(1).click();
  await homeList(page).getByRole('article').first().waitFor();
  await page.reload();
  await homeList(page).getByRole('article').first().waitFor();
});

visit('a token signs in, the settings sign out', {}, async (page) => {
  await page.goto('/');
  await page.getByLabel('With a token').fill(tokenOf(11));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await homeList(page).waitFor();
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByText('(user 11)').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Tideline, home' }).click();
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
});

visit('an invalid token is explained', {}, async (page, visitor) => {
  visitor.expects(/401/);
  await page.goto('/');
  await page.getByLabel('With a token').fill('nonsense');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: 'Sign-in failed.' }).waitFor();
  await visitor.picture('client-refused');
});

visit('another user does not see the data of the first', { user: 10 }, async (page) => {
  await page.goto('/');
  const first = await homeList(page).getByRole('article').first().getAttribute('data-post');
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto('/');
  await page.getByLabel('With a token').fill(tokenOf(299));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await homeList(page).getByRole('article').first().waitFor();
  assert.notEqual(await homeList(page).getByRole('article').first().getAttribute('data-post'), first);
});

visit('each address can be opened directly, also without signing in', {}, async (page) => {
  const pages = {
    '/u/star1': 'followers', '/search?q=star': '@star1', '/live': 'Sign in to see live sessions', '/settings': 'Task queues', '/p/nothing': 'Post not found',
  };
  for (const [address, text] of Object.entries(pages)) {
    await page.goto(address);
    await page.getByText(text).first().waitFor();
  }
});
