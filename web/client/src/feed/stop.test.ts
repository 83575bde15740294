import assert from 'node:assert/strict';
import { test } from 'node:test';

import { nextStop, type Stop } from './stop';

// Newer entries have smaller keys.
const entry = (sortKey: string) => ({ cursor: `cursor-${sortKey}`, sortKey });
const last: Stop = { cursor: 'cursor-50', syncToken: 'old', above: '40' };

test('the position stays until the visitor comes to it', () => {
  assert.deepEqual(nextStop(last, { newest: entry('10'), joined: false, token: 'new' }), last);
  assert.deepEqual(nextStop(last, { newest: entry('10'), joined: true, token: 'new' }), { cursor: 'cursor-10', syncToken: 'new', above: null });
});

test('below the newest entry, the position moves up and keeps its token', () => {
  const next = nextStop(last, { newest: entry('30'), joined: true, token: null });
  assert.deepEqual(next, { cursor: 'cursor-30', syncToken: 'old', above: '30' });
  assert.deepEqual(nextStop(next, { newest: entry('35'), joined: true, token: null }), next);
});

test('the position does not move down', () => {
  assert.deepEqual(nextStop(last, { newest: entry('45'), joined: true, token: null }), last);
  const read: Stop = { cursor: 'cursor-10', syncToken: 'new', above: null };
  assert.deepEqual(nextStop(read, { newest: entry('20'), joined: true, token: null }), read);
});

test('the first position is that of the newest entry', () => {
  const none: Stop = { cursor: null, syncToken: null, above: null };
  assert.deepEqual(nextStop(none, { newest: entry('20'), joined: true, token: null }), none);
  assert.deepEqual(nextStop(none, { newest: entry('10'), joined: true, token: 'new' }), { cursor: 'cursor-10', syncToken: 'new', above: null });
});
