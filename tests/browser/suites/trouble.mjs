// What a page shows when something is wrong.
import assert from 'node:assert/strict';
import { homeList, openHome, overList } from '../support/feed.mjs';
import { limitedBase, tokenOf, until } from '../support/server.mjs';
import { valve } from '../support/valve.mjs';
import { phone, visit } from '../support/visitor.mjs';

// pageScript is what the browser loads for the page that people are searched on.
const pageScript = '**/client-SearchPage-*.js';

visit('a visitor who is offline is told, keeps what he has, and goes on when he is back', { user: 17 }, async (page, visitor) => {
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

visit('an answer that was under way when the connection was lost does not say that it is back', { user: 17 }, async (page, visitor) => {
  visitor.expects(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket/);
  await openHome(page);
  const [underWay, asked] = valve();
  const [late, goesOn] = valve();
  let offline = false;
  await page.route('**/graphql', async (route) => {
    // What is asked for from then on gets no answer: this route leads past the connection.
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

visit('a page whose script is lost comes by itself, also when that is known only after the connection is back', { user: 17 }, async (page, visitor) => {
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
  // The end of the list says so, and not only the bar on top: something else may have been refused.
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

visit('what is said of a server that is away is no longer said when it is back, and the try again stays', { user: 17, screen: phone }, async (page, visitor) => {
  visitor.expects(/ERR_CONNECTION_REFUSED|Failed to load resource/);
  await openHome(page);
  let away = true;
  const refuse = (route) => (away ? route.abort('connectionrefused') : route.continue());
  await page.route('**/graphql', refuse);
  await page.route('**/healthz', refuse);
  await homeList(page).getByRole('article').first().getByRole('button', { name: /^Like/, pressed: false }).click();
  const message = page.getByRole('region', { name: 'Messages' }).getByRole('alert');
  await message.getByText('The server does not answer.').waitFor();
  const strip = page.getByText('What you see may be old.');
  assert.ok(await strip.evaluate((bar) => bar.scrollWidth <= bar.clientWidth && bar.scrollHeight <= bar.clientHeight), 'the strip is cut');
  await visitor.picture('client-server-away-phone');
  away = false;
  await message.getByText('The server does not answer.').waitFor({ state: 'detached' });
  await message.getByRole('button', { name: 'Try again' }).click();
  await homeList(page).getByRole('article').first().getByRole('button', { name: /^Like/, pressed: true }).waitFor();
});
