import assert from 'node:assert/strict';
import { test } from 'node:test';

import { backoff } from './backoff';

test('waits grow with jitter up to half a minute', () => {
  assert.equal(backoff(0, 0), 250);
  assert.equal(backoff(0, 1), 500);
  assert.equal(backoff(3, 1), 4_000);
  assert.equal(backoff(500, 1), 30_000);
  assert.ok(backoff(2, 0.2) < backoff(2, 0.8));
});
