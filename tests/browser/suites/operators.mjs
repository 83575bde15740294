// GraphiQL, and the task pages for administrators.
import assert from 'node:assert/strict';
import { base, limitedBase, publish, tokenOf, until } from '../support/server.mjs';
import { visit } from '../support/visitor.mjs';

const user = 10;
const admin = () => tokenOf(1, { role: 'admin' });

const play = (page) => page.locator('.graphiql-execute-button').click();
const result = (page) => page.evaluate(() => document.querySelector('.result-window .CodeMirror')?.CodeMirror.getValue() ?? '');

visit('GraphiQL responds to the first press of play', {}, async (page, visitor) => {
  await page.goto('/graphiql');
  await play(page);
  await until('the response has data', async () => /"data": \{[^]*"followers"/.test(await result(page)));
  await visitor.picture('graphiql');
  await page.emulateMedia({ colorScheme: 'dark' });
  await visitor.picture('graphiql-dark');
});

visit('GraphiQL uses the session of the user', { user }, async (page, visitor) => {
  await page.goto('/graphiql');
  await page.locator('.graphiql-query-editor .CodeMirror').waitFor();
  await page.evaluate(() => document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.setValue('{ viewer { homeFeed(first: 20) { nodes { id } } } }'));
  await play(page);
  await until('the response has the feed', async () => (await result(page)).includes('"homeFeed"'));
  const { data, errors } = JSON.parse(await result(page));
  assert.equal(errors, undefined);
  assert.equal(data.viewer.homeFeed.nodes.length, 20);
  await visitor.picture('graphiql-home-feed');
});

const queues = ['build', 'dispatch', 'dispatch-large', 'push', 'push-large'];

// openTasks opens the task pages without being signed in.
async function openTasks(page) {
  await page.goto('/tasks');
  await page.getByText('/tasks is for administrators').waitFor();
  await page.locator('#token').fill(admin());
  await page.locator('.token-form button').click();
  await until('the queues are listed', async () => {
    const names = await page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.cells[0].innerText).sort())
      .catch(() => []); // the page navigates
    return names.join() === queues.join();
  });
}

// controls counts the controls for changes: the column of buttons and the boxes that select tasks.
const controls = (page) => page.evaluate(() => [...document.querySelectorAll('th')].filter((head) => head.innerText.trim() === 'Actions').length
  + document.querySelectorAll('table input[type=checkbox]').length);

visit('administrators see queues and tasks, without buttons for changes', {}, async (page, visitor) => {
  const [, id] = atob((await publish(20, 'something to do')).replaceAll('-', '+').replaceAll('_', '/')).split(':');
  await until('the post is pushed', async () => {
    const tasks = await fetch(`${base}/tasks/api/queues/push/completed_tasks?size=1000`, { headers: { Authorization: `Bearer ${admin()}` } });
    return (await tasks.text()).includes(`post ${id}`);
  });
  await openTasks(page);
  await visitor.picture('tasks');
  assert.equal(await controls(page), 0);
  await page.goto('/tasks/queues/push?status=completed');
  await page.getByText(`post ${id}`).first().waitFor();
  await visitor.picture('tasks-completed');
  assert.equal(await controls(page), 0);
});

visit('administrators pause a queue where the server allows it', { at: limitedBase }, async (page, visitor) => {
  await openTasks(page);
  assert.ok(await controls(page) > 0);
  // A cell shows its buttons on hover, and a button hides its title.
  await page.locator('tbody tr:last-child td:last-child').hover({ position: { x: 2, y: 2 } });
  await visitor.picture('tasks-writable');
  await page.locator('[title=Pause]').first().click();
  await page.getByText('paused').first().waitFor();
});
