// Times from a change until the page shows it.
import assert from 'node:assert/strict';
import { ask } from './server.mjs';

// The promise, in milliseconds.
const promised = 1000;

// A slow or busy machine gets the time of this many requests on top: a request takes some
// milliseconds on an idle one.
const requests = 20;

const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];

const timed = async (act) => {
  const began = performance.now();
  await act();
  return performance.now() - began;
};

// withinASecond makes changes one after the other. Each entry has a function that makes the change, and
// one that waits until the page shows it, which gets the result of the first. It prints the times from
// the response until the page shows the change, and asserts that their median is a second at most.
export async function withinASecond(what, user, changes) {
  const [shown, asked] = [[], []];
  for (const [change, wait] of changes) {
    const result = await change();
    shown.push(await timed(() => wait(result)));
    asked.push(await timed(() => ask(user, '{ viewer { user { id } } }')));
  }
  const most = promised + requests * median(asked);
  console.log(`${what}: shown after ${shown.map(Math.round).join(', ')} ms, median ${Math.round(median(shown))} of at most ${Math.round(most)} ms`);
  assert.ok(median(shown) <= most, `${what} took ${median(shown)} ms`);
}
