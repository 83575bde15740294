// Helpers for pages with live sessions.
import { until } from './server.mjs';

export const group = (page, name) => page.getByRole('region', { name });

// listed waits for an element that may be on a later page of the list, because the demo adds
// sessions all the time.
export const listed = (page, wanted) => until('it is listed', async () => {
  if (await wanted.first().isVisible()) return true;
  await page.getByRole('button', { name: 'Show more' }).evaluateAll((buttons) => buttons.forEach((button) => button.click()));
  return false;
});
