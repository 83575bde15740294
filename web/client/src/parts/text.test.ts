import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hostOf, hueOf, initials, length, tokens } from './text';

test('links and mentions end before punctuation', () => {
  assert.deepEqual(tokens('See https://a.example/x?y=1. Or ask (@ann_b), please'), [
    { kind: 'text', text: 'See ' },
    { kind: 'link', text: 'https://a.example/x?y=1', href: 'https://a.example/x?y=1' },
    { kind: 'text', text: '. Or ask (' },
    { kind: 'mention', text: '@ann_b', handle: 'ann_b' },
    { kind: 'text', text: '), please' },
  ]);
});

test('mail addresses are no mentions, other schemes no links', () => {
  for (const text of ['ann@b.example', 'javascript:alert(1)', 'data:text/html,x', 'https://', '@', 'a @ b', 'http://[']) {
    assert.deepEqual(tokens(text).map((token) => token.kind), ['text'], text);
  }
});

test('the tokens make up the text', () => {
  for (const text of ['', '\n\n', '@a@b @c.', 'https://a.example/)]. https://b.example', '🌊 @zoë-1. end']) {
    assert.equal(tokens(text).map((token) => token.text).join(''), text);
  }
});

test('the length is in code points', () => {
  assert.deepEqual([length(''), length('abc'), length('🌊é')], [0, 3, 2]);
});

test('a link shows its host', () => {
  assert.deepEqual(['https://www.a.example/b', 'pictures/1.png'].map(hostOf), ['a.example', 'pictures/1.png']);
});

test('names in any script have initials', () => {
  assert.deepEqual(['Ann Lee', 'zoë', 'star_1', '李 小龙', 'Ann B. Carr', '🌊', ''].map(initials), ['AL', 'Z', 'S1', '李小', 'AC', '~', '~']);
});

test('a hue is stable', () => {
  assert.equal(hueOf('7'), hueOf('7'));
  assert.notEqual(hueOf('7'), hueOf('8'));
  assert.ok(hueOf('any') >= 0 && hueOf('any') < 360);
});
