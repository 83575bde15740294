import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ago, clockOf, counted, short, span } from './time';

const now = Date.parse('2026-05-04T12:00:00.000Z');
const before = (ms: number) => new Date(now - ms).toISOString();
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

test('what is older is told less exactly', () => {
  assert.equal(ago(before(59 * second), now), 'now');
  assert.equal(ago(before(minute), now), '1 min');
  assert.equal(ago(before(hour - 1), now), '59 min');
  assert.equal(ago(before(hour), now), '1 h');
  assert.equal(ago(before(day), now), '1 d');
  assert.equal(ago(before(10 * day), now, 'en-GB'), '24 Apr');
  assert.equal(ago(before(400 * day), now, 'en-GB'), '30 Mar 2025');
});

test('a clock that is a little ahead says now, and not a negative time', () => {
  assert.equal(ago(before(-5 * second), now), 'now');
  assert.equal(span(-5 * second), '0 s');
});

test('a length of time has its two largest units, and no unit that is zero', () => {
  assert.equal(span(2 * day + 3 * hour + 5 * minute), '2 d 3 h');
  assert.equal(span(hour + 5 * minute), '1 h 5 min');
  assert.equal(span(2 * hour), '2 h');
  assert.equal(span(4 * minute + 9 * second), '4 min 9 s');
  assert.equal(span(12_900), '12 s');
});

test('a live session counts down, then up, then says how long it is over', () => {
  const session = { scheduledAt: before(-90 * second), startedAt: null, endedAt: null };
  assert.equal(clockOf({ ...session, state: 'UPCOMING' }, now), 'Starts in 1 min 30 s');
  assert.equal(clockOf({ ...session, state: 'UPCOMING' }, now + 91 * second), 'About to start');
  assert.equal(clockOf({ ...session, state: 'LIVE', startedAt: before(61 * second) }, now), 'On air for 1 min 1 s');
  assert.equal(
    clockOf({ ...session, state: 'REPLAY', startedAt: before(3 * hour), endedAt: before(2 * hour) }, now),
    'Ended 2 h ago, lasted 1 h',
  );
});

test('counts are short, and agree with their word', () => {
  assert.deepEqual([0, 999, 1_234, 38_000, 4_520_000].map(short), ['0', '999', '1.2K', '38K', '4.5M']);
  assert.deepEqual([counted(1, 'post'), counted(0, 'post'), counted(2, 'person', 'people')], ['1 post', '0 posts', '2 people']);
});
