import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ago, counted, short, span } from '../texts/format';
import { clockOf } from './time';

const now = Date.parse('2026-05-04T12:00:00.000Z');
const before = (ms: number) => new Date(now - ms).toISOString();
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

test('an older moment is less exact', () => {
  assert.equal(ago(before(59 * second), now), 'now');
  assert.equal(ago(before(minute), now), '1m');
  assert.equal(ago(before(hour - 1), now), '59m');
  assert.equal(ago(before(hour), now), '1h');
  assert.equal(ago(before(day), now), '1d');
  assert.equal(ago(before(10 * day), now, 'en-GB'), '24 Apr');
  assert.equal(ago(before(400 * day), now, 'en-GB'), '30 Mar 2025');
});

test('a moment in the future is now', () => {
  assert.equal(ago(before(-5 * second), now), 'now');
  assert.equal(span(-5 * second), '0 sec');
});

test('a span has its two largest units, without zeros', () => {
  assert.equal(span(2 * day + 3 * hour + 5 * minute), '2 days 3 hr');
  assert.equal(span(hour + 5 * minute), '1 hr 5 min');
  assert.equal(span(2 * hour), '2 hr');
  assert.equal(span(4 * minute + 9 * second), '4 min 9 sec');
  assert.equal(span(12_900), '12 sec');
});

test('the clock of a session follows its state', () => {
  const session = { scheduledAt: before(-90 * second), startedAt: null, endedAt: null };
  assert.equal(clockOf({ ...session, state: 'UPCOMING' }, now), 'Starts in 1 min 30 sec');
  assert.equal(clockOf({ ...session, state: 'UPCOMING' }, now + 91 * second), 'Starting soon');
  assert.equal(clockOf({ ...session, state: 'LIVE', startedAt: before(61 * second) }, now), 'Live for 1 min 1 sec');
  assert.equal(
    clockOf({ ...session, state: 'REPLAY', startedAt: before(3 * hour), endedAt: before(2 * hour) }, now),
    'Ended 2 hours ago after 1 hr',
  );
});

test('counts are short and have the right plural', () => {
  assert.deepEqual([0, 999, 1_234, 38_000, 4_520_000].map((count) => short(count)), ['0', '999', '1.2K', '38K', '4.5M']);
  assert.deepEqual([1, 0, 2].map((count) => counted(count, { one: 'reply', other: 'replies' })), ['1 reply', '0 replies', '2 replies']);
});
