// What is on a page that shows a list of posts.

export const homeList = (page) => page.getByRole('feed', { name: 'Home feed' });

// postWith is the post with a text.
export const postWith = (page, text) => page.getByRole('article').filter({ hasText: text });

// shown returns the posts that the page has now, from the top: id, place in the list from 1,
// and text, which is not that of what is shown again.
export const shown = (page) => homeList(page).evaluate((list) => [...list.querySelectorAll('article[data-post]')].map((post) => ({
  id: post.dataset.post,
  place: Number(post.getAttribute('aria-posinset')),
  text: [...post.querySelectorAll('.post-text')].find((text) => !text.closest('.quoted'))?.textContent ?? '',
})));

// openHome goes to the home feed and waits until it shows something.
export async function openHome(page) {
  await page.goto('/');
  await homeList(page).getByRole('article').first().waitFor();
}

// overList puts the mouse on the upper end of the list: to its middle the page would scroll,
// which is the further down the more has been loaded.
export const overList = (page) => homeList(page).hover({ position: { x: 20, y: 20 } });

// changed clicks on what changes something, by a mutation whose text has the pattern, and
// waits until the server has done it: the page shows it before that.
export async function changed(page, what, pattern = /mutation/) {
  const done = page.waitForResponse((answer) => answer.url().endsWith('/graphql') && pattern.test(answer.request().postData() ?? ''));
  await what.click();
  await done;
}
