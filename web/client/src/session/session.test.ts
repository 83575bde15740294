import assert from 'node:assert/strict';
import { test } from 'node:test';

import { demoSecretOf, nextOf } from './session';

const base = 'http://here.example/?next=x';

test('a path on this server is valid', () => {
  assert.equal(nextOf('?next=%2Ftasks%2Fqueues%3Fa%3D1', base), '/tasks/queues?a=1');
});

test('another server and an invalid address are not', () => {
  for (const bad of ['', '?next=', '?next=https%3A%2F%2Felsewhere.example%2F', '?next=%2F%2Felsewhere.example', '?next=javascript%3Aalert(1)', '?next=http%3A%2F%2F%5B']) {
    assert.equal(nextOf(bad, base), null, bad);
  }
});

test('a path that a browser may read as a host is not', () => {
  for (const bad of ['/\\elsewhere.example', '\\\\elsewhere.example', '\\/elsewhere.example', '/.//elsewhere.example', '/a/..//elsewhere.example', '/\t/elsewhere.example', ' //elsewhere.example', 'http:elsewhere.example', 'tasks', 'http://here.example//elsewhere.example']) {
    assert.equal(nextOf(`?next=${encodeURIComponent(bad)}`, base), null, bad);
  }
});

test('the fragment of a demo link has the secret', () => {
  assert.equal(demoSecretOf('#demo=ABC234'), 'ABC234');
  for (const hash of ['', '#', '#demo=', '#main', '#other=ABC234']) assert.equal(demoSecretOf(hash), null, hash);
});
