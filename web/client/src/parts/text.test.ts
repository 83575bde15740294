import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hostOf, hueOf, initials, length, tokens } from './text';

test('links and mentions are found, and the stop after them is not theirs', () => {
  assert.deepEqual(tokens('See https://a.example/x?y=1. Or ask (@ann_b), please'), [
    { kind: 'text', text: 'See ' },
    { kind: 'link', text: 'https://a.example/x?y=1', href: 'https://a.example/x?y=1' },
    { kind: 'text', text: '. Or ask (' },
    { kind: 'mention', text: '@ann_b', handle: 'ann_b' },
    { kind: 'text', text: '), please' },
  ]);
});

test('a mail address is no mention, and no address but of the web is a link', () => {
  for (const text of ['ann@b.example', 'javascript:alert(1)', 'data:text/html,x', 'https://', '@', 'a @ b', 'http://[']) {
    assert.deepEqual(tokens(text).map((token) => token.kind), ['text'], text);
  }
});

test('nothing of a text is lost', () => {
  for (const text of ['', '\n\n', '@a@b @c.', 'https://a.example/)]. https://b.example', '🌊 @zoë-1. end']) {
    assert.equal(tokens(text).map((token) => token.text).join(''), text);
  }
});

test('a text is as long as the server counts', () => {
  assert.deepEqual([length(''), length('abc'), length('🌊é')], [0, 3, 2]);
});

test('a link says where it leads', () => {
  assert.deepEqual(['https://www.a.example/b', 'pictures/1.png'].map(hostOf), ['a.example', 'pictures/1.png']);
});

test('names have initials, whatever they are written in', () => {
  assert.deepEqual(['Ann Lee', 'zoë', 'star_1', '李 小龙', 'Ann B. Carr', '🌊', ''].map(initials), ['AL', 'Z', 'S1', '李小', 'AC', '~', '~']);
});

test('a hue stays, and differs', () => {
  assert.equal(hueOf('7'), hueOf('7'));
  assert.notEqual(hueOf('7'), hueOf('8'));
  assert.ok(hueOf('any') >= 0 && hueOf('any') < 360);
});
