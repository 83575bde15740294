// What a page shows when something is wrong.
import assert from 'node:assert/strict';
import { homeList, openHome, overList } from '../support/feed.mjs';
import { limitedBase, tokenOf, until } from '../support/server.mjs';
import { phone, visit } from '../support/visitor.mjs';

visit('a visitor who is offline is told, keeps what he has, and goes on when he is back', { user: 17 }, async (page, visitor) => {
  visitor.expects(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket/);
  await openHome(page);
  // By then the other pages have been loaded ahead.
  await page.waitForLoadState('networkidle');
  await visitor.context.setOffline(true);
  await page.getByText('You are offline.').waitFor();
  assert.ok(await homeList(page).getByRole('article').count());
  await visitor.picture('client-offline');
  await page.getByRole('link', { name: 'Search' }).first().click();
  await visitor.picture('client-offline-page');
  await visitor.context.setOffline(false);
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
  await page.getByRole('searchbox', { name: 'Search for people' }).waitFor();
});

visit('a page that could not be loaded comes by itself when the server is back', { user: 17 }, async (page, visitor) => {
  visitor.expects(/ERR_CONNECTION_REFUSED|Failed to load resource/);
  let away = true;
  const refuse = (route) => (away ? route.abort('connectionrefused') : route.continue());
  await page.route('**/graphql', refuse);
  await page.route('**/healthz', refuse);
  await page.goto('/');
  await page.getByRole('alert').getByRole('heading', { name: 'The server does not answer' }).waitFor();
  await visitor.picture('client-server-away');
  away = false;
  await homeList(page).getByRole('article').first().waitFor();
});

// spend has a user spend all that he may, and what he may again every moment, until the
// returned function is called.
function spend(user) {
  let going = true;
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${tokenOf(user)}` };
  const ask = async (selection) => {
    const body = JSON.stringify({ query: `{ viewer { homeFeed(first: 50) { nodes { ${selection} } } } }` });
    const response = await fetch(`${limitedBase}/graphql`, { method: 'POST', headers, body });
    await response.text();
    return response.ok;
  };
  const spending = (async () => {
    // In large pieces first, and what is left in small ones.
    while (going && (await ask('comments(first: 90) { nodes { id } }')));
    while (going) await ask('id');
  })();
  return () => {
    going = false;
    return spending;
  };
}

visit('who has asked for too much is told how long to wait, and goes on by himself', { user: 18, at: limitedBase }, async (page, visitor) => {
  visitor.expects(/429/);
  await openHome(page);
  await overList(page);
  const stop = spend(18);
  const limited = page.getByText(/The server asks for a pause/).first();
  try {
    await until('the page is refused more', async () => {
      await page.mouse.wheel(0, 900);
      return limited.isVisible();
    });
    await visitor.picture('client-rate-limited');
  } finally {
    await stop();
  }
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.waitForFunction((before) => document.documentElement.scrollHeight > before, height, { timeout: 30_000 });
  await limited.waitFor({ state: 'detached' });
});

for (const [what, address, title] of [
  ['a page that is not there', '/no/such/page', 'There is no such page'],
  ['a post that is not there', '/p/UG9zdDox', 'There is no such post'],
  ['somebody who is not there', '/u/nobody-at-all', 'There is nobody here'],
]) {
  visit(`${what} is told as such`, { user: 17, screen: phone }, async (page, visitor) => {
    visitor.expects(/404/);
    await page.goto(address);
    await page.getByRole('heading', { name: title }).waitFor();
    await visitor.picture(`client-${title.toLowerCase().replaceAll(' ', '-')}`);
  });
}
