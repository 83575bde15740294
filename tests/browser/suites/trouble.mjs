// Failures: offline, unreachable server, rate limits, unknown pages.
import assert from 'node:assert/strict';
import { homeList, openHome, overList } from '../support/feed.mjs';
import { limitedBase, tokenOf, until } from '../support/server.mjs';
import { valve } from '../support/valve.mjs';
import { phone, visit } from '../support/visitor.mjs';

// pageScript is the script of the search page.
const pageScript = '**/client-SearchPage-*.js';

visit('an offline visitor keeps the page and continues later', { user: 17 }, async (page, visitor) => {
  visitor.expects(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket/);
  const loadedAhead = page.waitForResponse(pageScript);
  await openHome(page);
  await (await loadedAhead).finished();
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

visit('a late response does not end the offline state', { user: 17 }, async (page, visitor) => {
  visitor.expects(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket/);
  await openHome(page);
  const [underWay, asked] = valve();
  const [late, goesOn] = valve();
  let offline = false;
  await page.route('**/graphql', async (route) => {
    // Later requests fail here, because the route bypasses the connection.
    if (offline) return route.abort('internetdisconnected');
    const response = await route.fetch();
    asked();
    await late;
    return route.fulfill({ response });
  });
  await page.getByRole('link', { name: 'Live' }).first().click();
  await underWay;
  offline = true;
  await visitor.context.setOffline(true);
  await page.getByText('You are offline.').waitFor();
  const answered = page.waitForResponse('**/graphql');
  goesOn();
  await (await answered).finished();
  assert.ok(await page.getByText('You are offline.').isVisible());
  offline = false;
  await visitor.context.setOffline(false);
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
});

visit('a page whose script failed loads after reconnect', { user: 17 }, async (page, visitor) => {
  visitor.expects(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket/);
  const [known, lost] = valve();
  let first = true;
  await page.route(pageScript, async (route) => {
    if (!first) return route.continue();
    first = false;
    await known;
    return route.abort('failed');
  });
  await openHome(page);
  await page.getByRole('link', { name: 'Search' }).first().click();
  await page.getByRole('status').getByText('Loading the page').waitFor({ state: 'attached' });
  await visitor.context.setOffline(true);
  await page.getByText('You are offline.').waitFor();
  await visitor.context.setOffline(false);
  await page.getByText('You are offline.').waitFor({ state: 'detached' });
  lost();
  await page.getByRole('searchbox', { name: 'Search for people' }).waitFor();
});

visit('a failed page loads when the server is back', { user: 17 }, async (page, visitor) => {
  visitor.expects(/ERR_CONNECTION_REFUSED|Failed to load resource/);
  let away = true;
  const refuse = (route) => (away ? route.abort('connectionrefused') : route.continue());
  await page.route('**/graphql', refuse);
  await page.route('**/healthz', refuse);
  await page.goto('/');
  await page.getByRole('alert').getByRole('heading', { name: 'No connection to the server' }).waitFor();
  await visitor.picture('client-server-away');
  away = false;
  await homeList(page).getByRole('article').first().waitFor();
});

// spend exhausts the budget of a user again and again, until the returned function is called.
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
    // First in large steps, then in small ones.
    while (going && (await ask('comments(first: 90) { nodes { id } }')));
    while (going) await ask('id');
  })();
  return () => {
    going = false;
    return spending;
  };
}

visit('a rate-limited list counts down and continues', { user: 18, at: limitedBase }, async (page, visitor) => {
  visitor.expects(/429/);
  await openHome(page);
  await overList(page);
  const stop = spend(18);
  // Look at the end of the list, because the status bar may be about another request.
  const limited = page.getByRole('alert').getByText(/Trying again in/);
  let height;
  try {
    await until('the list is refused more', async () => {
      await page.mouse.wheel(0, 900);
      return limited.isVisible();
    });
    height = await page.evaluate(() => document.documentElement.scrollHeight);
    await visitor.picture('client-rate-limited');
  } finally {
    await stop();
  }
  await page.waitForFunction((before) => document.documentElement.scrollHeight > before, height);
  await limited.waitFor({ state: 'detached' });
});

for (const [what, address, title] of [
  ['an unknown page', '/no/such/page', 'Page not found'],
  ['an unknown post', '/p/UG9zdDox', 'Post not found'],
  ['an unknown user', '/u/no-such-user', 'User not found'],
]) {
  visit(`${what} is reported`, { user: 17, screen: phone }, async (page, visitor) => {
    visitor.expects(/404/);
    await page.goto(address);
    await page.getByRole('heading', { name: title }).waitFor();
    await visitor.picture(`client-${title.toLowerCase().replaceAll(' ', '-')}`);
  });
}

visit('a toast keeps its retry after a reconnect', { user: 17, screen: phone }, async (page, visitor) => {
  visitor.expects(/ERR_CONNECTION_REFUSED|Failed to load resource/);
  await openHome(page);
  let away = true;
  const refuse = (route) => (away ? route.abort('connectionrefused') : route.continue());
  await page.route('**/graphql', refuse);
  await page.route('**/healthz', refuse);
  await homeList(page).getByRole('article').first().getByRole('button', { name: /^Like/, pressed: false }).click();
  const message = page.getByRole('region', { name: 'Messages' }).getByRole('alert');
  await message.getByText('No connection to the server.').waitFor();
  const strip = page.getByText('This page may be out of date.');
  assert.ok(await strip.evaluate((bar) => bar.scrollWidth <= bar.clientWidth && bar.scrollHeight <= bar.clientHeight), 'the strip is cut');
  await visitor.picture('client-server-away-phone');
  away = false;
  await message.getByText('No connection to the server.').waitFor({ state: 'detached' });
  await message.getByRole('button', { name: 'Try again' }).click();
  await homeList(page).getByRole('article').first().getByRole('button', { name: /^Like/, pressed: true }).waitFor();
});
