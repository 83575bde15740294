import assert from 'node:assert/strict';
import { test } from 'node:test';

import { texts } from '../texts';
import { compare, COUNTED_AT_MOST, placementOf, waiting, type Shown } from './placement';

const cursorOf = (number: string): string => `cursor-${number}`;
// Newer posts have smaller keys, and of one time larger numbers.
const at = (second: number, number: string): Shown => ({
  id: `post-${number}`, cursor: cursorOf(number), sortKey: `${99 - second}-${99 - Number(number)}`,
  publishedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
});
const list = [at(50, '9'), at(40, '10'), at(40, '9'), at(20, '3')];

test('the newest post is first, then the larger id', () => {
  const shuffled = [list[2]!, list[0]!, list[3]!, list[1]!];
  assert.deepEqual(shuffled.sort(compare), list);
  assert.equal(compare(at(1, '5'), at(1, '5')), 0);
  assert.equal(compare({ ...at(1, '5'), sortKey: null }, at(2, '4')), 1);
});

test('a newer post waits above', () => {
  assert.equal(placementOf(at(60, '1'), list, cursorOf('9')), 'above');
  assert.equal(placementOf(at(50, '12'), list, cursorOf('9')), 'above');
});

test('a shown post is not inserted again', () => {
  assert.equal(placementOf(at(40, '10'), list, cursorOf('9')), 'shown');
});

test('an earlier post goes to its place', () => {
  assert.deepEqual(placementOf(at(40, '11'), list, cursorOf('9')), { before: cursorOf('10') });
  assert.deepEqual(placementOf(at(30, '1'), list, cursorOf('9')), { before: cursorOf('3') });
  assert.equal(placementOf(at(10, '1'), list, cursorOf('9')), 'below');
});

test('an own post on top is no boundary', () => {
  const own: Shown = { ...at(70, '77'), cursor: cursorOf('77') };
  assert.equal(placementOf(at(60, '1'), [own, ...list], cursorOf('9')), 'above');
  const pending: Shown = { ...at(70, '78'), cursor: null, sortKey: null };
  assert.equal(placementOf(at(60, '1'), [pending, ...list], cursorOf('9')), 'above');
});

test('every post waits above an empty list', () => {
  assert.equal(placementOf(at(1, '1'), [], null), 'above');
});

test('the server’s count includes missed posts', () => {
  assert.equal(waiting(2, 5), 5);
  assert.equal(waiting(3, 0), 3);
  assert.deepEqual([1, 2, 100].map((count) => texts.home.newPosts(count, COUNTED_AT_MOST)), ['1 new post', '2 new posts', '100+ new posts']);
});
