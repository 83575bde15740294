import assert from 'node:assert/strict';
import { test } from 'node:test';

import { feedOf, toggled } from './filter';

test('a filter in the address chooses the feed', () => {
  assert.deepEqual(feedOf(false, ''), {});
  assert.deepEqual(feedOf(true, 'secrets'), { special: true });
  assert.deepEqual(feedOf(true, 'media'), { special: true, filter: { hasMedia: true } });
  assert.deepEqual(feedOf(false, 'replies,posts,media'), { filter: { kinds: ['POST', 'COMMENT'], hasMedia: true } });
});

test('a word is toggled, and the last kind brings all back', () => {
  assert.equal(toggled('', 'reposts'), 'posts,replies');
  assert.equal(toggled('posts,replies', 'posts'), 'replies');
  assert.equal(toggled('replies', 'media'), 'replies,media');
  assert.equal(toggled('replies,media', 'replies'), 'media');
  assert.equal(toggled('media', 'media'), '');
  assert.equal(toggled('posts,replies', 'reposts'), '');
});
