import assert from 'node:assert/strict';
import { test } from 'node:test';

import { compare } from './place';

function session(state: number, at: number, id: number): { cursor: string } {
  const bytes = Buffer.alloc(51);
  bytes[2] = state;
  bytes.writeBigUInt64BE(BigInt(at), 35);
  bytes.writeBigUInt64BE(BigInt(id), 43);
  return { cursor: bytes.toString('base64url') };
}

test('sessions have the order of the live feed', () => {
  const [live, upcoming, replay] = [1, 2, 3];
  const ordered = [
    session(live, 900, 1), session(live, 300, 2), session(upcoming, 200, 9), session(upcoming, 200, 3), session(upcoming, 1_000, 4),
    session(replay, 800, 6), session(replay, 500, 7),
  ];
  assert.deepEqual([...ordered].reverse().sort(compare), ordered);
  assert.equal(compare(session(live, 1, 1), session(live, 1, 1)), 0);
});
