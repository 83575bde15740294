// What is on a page that lists live sessions.
import { until } from './server.mjs';

export const group = (page, name) => page.getByRole('region', { name });

// listed waits for something of the list that may be on a later page of it: how many sessions
// come before it is up to the demo, whose hosts go on and off air all the time.
export const listed = (page, wanted) => until('it is listed', async () => {
  if (await wanted.first().isVisible()) return true;
  await page.getByRole('button', { name: 'Show more' }).evaluateAll((buttons) => buttons.forEach((button) => button.click()));
  return false;
});
