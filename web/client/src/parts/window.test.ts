import assert from 'node:assert/strict';
import { test } from 'node:test';

import { memoryOf, rangeAround, type ListMemory } from './window';

const keys = Array.from({ length: 100 }, (_, i) => `k${i}`);
const memory = (anchor: ListMemory['anchor'], heights: [string, number][] = []): ListMemory => ({ heights: new Map(heights), estimate: 100, anchor, focused: null });

test('at the top, one more screen is rendered', () => {
  assert.deepEqual(rangeAround(keys, memory(null), 500), { start: 0, end: 10, before: 0, after: 9_000 });
});

test('around an anchor, a screen on both sides is rendered', () => {
  const range = rangeAround(keys, memory({ key: 'k50', offset: -20 }), 500);
  assert.deepEqual([range.start, range.end], [45, 61]);
  assert.equal(range.before + range.after + (range.end - range.start) * 100, keys.length * 100);
});

test('measured heights count', () => {
  const range = rangeAround(keys, memory({ key: 'k2', offset: 0 }, [['k0', 300], ['k1', 700]]), 500);
  assert.deepEqual([range.start, range.before], [1, 300]);
});

test('the anchor is rendered after an insertion above', () => {
  const anchored = memory({ key: 'k50', offset: 10 });
  const { start, end } = rangeAround(['new1', 'new2', ...keys], anchored, 500);
  assert.ok(start <= 52 && 52 < end);
});

test('a deleted anchor is the top', () => {
  assert.equal(rangeAround(keys, memory({ key: 'gone', offset: 10 }), 500).start, 0);
});

test('an empty list renders nothing', () => {
  assert.deepEqual(rangeAround([], memory(null), 500), { start: 0, end: 0, before: 0, after: 0 });
});

test('a list is stored by place, up to a limit', () => {
  const mine = memoryOf('here', 'home', 100);
  assert.equal(memoryOf('here', 'home', 100), mine);
  assert.notEqual(memoryOf('there', 'home', 100), mine);
  for (let i = 0; i < 30; i++) memoryOf(`elsewhere ${i}`, 'home', 100);
  assert.notEqual(memoryOf('here', 'home', 100), mine);
});
