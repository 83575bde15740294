// Helpers for pages with a list of posts.

export const homeList = (page) => page.getByRole('feed', { name: 'Home feed' });

// postWith locates the post with a text.
export const postWith = (page, text) => page.getByRole('article').filter({ hasText: text });

// shown returns the posts on the page, from the top: id, position from 1, and own text.
export const shown = (page) => homeList(page).evaluate((list) => [...list.querySelectorAll('article[data-post]')].map((post) => ({
  id: post.dataset.post,
  place: Number(post.getAttribute('aria-posinset')),
  text: [...post.querySelectorAll('.post-text')].find((text) => !text.closest('.quoted'))?.textContent ?? '',
})));

// openHome opens the home feed and waits for its posts.
export async function openHome(page) {
  await page.goto('/');
  await homeList(page).getByRole('article').first().waitFor();
}

// overList moves the mouse to the top of the list; its middle would make the page scroll.
export const overList = (page) => homeList(page).hover({ position: { x: 20, y: 20 } });

// changed clicks an element and waits for the response to its mutation, because the page shows
// the change earlier.
export async function changed(page, what, pattern = /mutation/) {
  const done = page.waitForResponse((answer) => answer.url().endsWith('/graphql') && pattern.test(answer.request().postData() ?? ''));
  await what.click();
  await done;
}
