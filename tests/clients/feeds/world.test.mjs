// Tests of the other suites' verification.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { World, inOrder, judge } from './world.mjs';

const world = new World({ viewer: '', authors: [], pageSize: 2, posts: ['30', '20', '10'] });
world.published = [{ databaseId: '5', publishedAt: '2026-01-01T00:00:00.000Z' }];
const flawless = { duplicates: 0, gaps: 0, misplaced: 0, inOrder: true };

for (const [what, ids, flaws] of [
  ['everything once', ['30', '20', '10'], {}],
  ['something new above the rest', ['5', '30', '20', '10'], {}],
  ['something twice', ['30', '20', '20', '10'], { duplicates: 1, inOrder: false }],
  ['something left out', ['30', '10'], { gaps: 1, inOrder: false }],
  ['another order', ['20', '30', '10'], { inOrder: false }],
  ['something new between the old', ['30', '5', '20', '10'], { misplaced: 1 }],
  ['an unknown post', ['99', '30', '20', '10'], { misplaced: 1 }],
  ['nothing', [], { gaps: 3, inOrder: false }],
]) {
  test(`a list with ${what} is seen as such`, () => {
    assert.deepEqual(judge(world, ids), { ...flawless, ...flaws });
  });
}

test('of equal times the larger id comes first, as a number', () => {
  const at = (databaseId, publishedAt) => ({ databaseId, publishedAt });
  const posts = [at('9', '2026-01-01T00:00:00.001Z'), at('10', '2026-01-01T00:00:00.001Z'), at('1', '2026-01-01T00:00:00.002Z')];
  assert.deepEqual(inOrder(posts), ['1', '10', '9']);
});
