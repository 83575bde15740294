import assert from 'node:assert/strict';
import { test } from 'node:test';

import { changesFirst, compare } from './place';

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

test('changes of sessions below the listed ones are not theirs', () => {
  const [live, upcoming, replay] = [1, 2, 3];
  const edge = (state: number, at: number, id: number) => ({ ...session(state, at, id), node: { id: `s${id}` } });
  const listed = [edge(live, 900, 1), edge(upcoming, 200, 2)];
  const change = (of: ReturnType<typeof edge>) => [{ kind: 'CHANGED', liveSessionId: of.node.id, edge: of }];
  assert.equal(changesFirst(listed, 2, change(edge(upcoming, 300, 3))), false);
  assert.equal(changesFirst(listed, 2, [{ kind: 'REMOVED', liveSessionId: 's3', edge: null }]), false);
  assert.equal(changesFirst(listed, 2, change(edge(live, 100, 3))), true);
  assert.equal(changesFirst(listed, 2, change(edge(replay, 950, 1))), true);
  assert.equal(changesFirst(listed, 2, [{ kind: 'REMOVED', liveSessionId: 's2', edge: null }]), true);
  assert.equal(changesFirst(listed, 2, [{ kind: 'RESET', liveSessionId: null, edge: null }]), true);
  assert.equal(changesFirst(listed, 3, change(edge(upcoming, 300, 3))), true);
});
