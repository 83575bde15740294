import assert from 'node:assert/strict';
import { test } from 'node:test';

import { changesFirst } from './place';

test('changes of sessions below the listed ones are not theirs', () => {
  const edge = (sortKey: string, id: number) => ({ sortKey, node: { id: `s${id}` } });
  const listed = [edge('b', 1), edge('d', 2)];
  const change = (of: ReturnType<typeof edge>) => [{ kind: 'CHANGED', liveSessionId: of.node.id, edge: of }];
  assert.equal(changesFirst(listed, 2, change(edge('e', 3))), false);
  assert.equal(changesFirst(listed, 2, [{ kind: 'REMOVED', liveSessionId: 's3', edge: null }]), false);
  assert.equal(changesFirst(listed, 2, change(edge('c', 3))), true);
  assert.equal(changesFirst(listed, 2, change(edge('f', 1))), true);
  assert.equal(changesFirst(listed, 2, [{ kind: 'REMOVED', liveSessionId: 's2', edge: null }]), true);
  assert.equal(changesFirst(listed, 2, [{ kind: 'RESET', liveSessionId: null, edge: null }]), true);
  assert.equal(changesFirst(listed, 3, change(edge('e', 3))), true);
});
