import assert from 'node:assert/strict';
import { test } from 'node:test';

import { mayRepost } from './repost';

const by = (databaseId: string, isPrivate = false) => ({ databaseId, isPrivate });

test('only its author may repost what is for followers', () => {
  const open = { audience: 'PUBLIC', author: by('1'), replyTo: null };
  const narrow = { ...open, audience: 'FOLLOWERS' };
  const closed = { ...open, author: by('1', true) };
  for (const [post, own, other] of [[open, true, true], [narrow, true, false], [closed, true, false]] as const) {
    assert.deepEqual([mayRepost(post, '1'), mayRepost(post, '2'), mayRepost(post, undefined)], [own, other, other]);
  }
});

test('a reply in another thread for followers may not be reposted', () => {
  const reply = { audience: 'FOLLOWERS', author: by('1'), replyTo: { author: by('2') } };
  assert.equal(mayRepost(reply, '1'), false);
  assert.equal(mayRepost({ ...reply, audience: 'PUBLIC' }, '1'), true);
  assert.equal(mayRepost({ ...reply, replyTo: { author: by('1') } }, '1'), true);
});
