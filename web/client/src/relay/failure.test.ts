import assert from 'node:assert/strict';
import { test } from 'node:test';

import { explain, Failure, failureOf, Refusal, sentence } from './failure';

const headers = (values: Record<string, string>) => (name: string) => values[name] ?? null;

test('a response with data alone has not failed', () => {
  assert.equal(failureOf(200, { data: { viewer: null } }, headers({})), null);
});

test('a response with data and errors has failed', () => {
  const failure = failureOf(
    200,
    { data: { viewer: null }, errors: [{ message: 'away', extensions: { code: 'UNAVAILABLE', requestId: 'r1' } }] },
    headers({}),
  );
  assert.deepEqual([failure?.code, failure?.requestId, failure?.message], ['UNAVAILABLE', 'r1', 'away']);
});

test('a rate limit has whole seconds', () => {
  const body = { errors: [{ message: 'slow down', extensions: { code: 'RATE_LIMITED' } }] };
  assert.equal(failureOf(429, body, headers({ 'Retry-After': '12' }))?.retryAfter, 12);
  assert.equal(failureOf(429, body, headers({ 'Retry-After': '0.2' }))?.retryAfter, 1);
  assert.equal(failureOf(429, body, headers({ 'Retry-After': 'Sat, 01 Jan 2028 00:00:00 GMT' }))?.retryAfter, 0);
});

test('a response of a proxy is recognized', () => {
  assert.equal(failureOf(502, null, headers({}))?.code, 'UNAVAILABLE');
  assert.equal(failureOf(500, null, headers({ 'X-Request-Id': 'r2' }))?.requestId, 'r2');
  assert.equal(failureOf(200, null, headers({}))?.code, 'UNREACHABLE');
});

test('every explanation has a title and the request id', () => {
  for (const code of ['UNREACHABLE', 'RATE_LIMITED', 'INTERNAL', 'SOMETHING_NEW']) {
    const said = explain(new Failure(code, 'words', 'r3'));
    assert.ok(said.title && said.requestId === 'r3', code);
  }
  assert.equal(explain(new Failure('SOMETHING_NEW', 'no such thing')).help, 'No such thing.');
});

test('a refusal has the server’s message and no retry', () => {
  assert.deepEqual(explain(new Refusal('TOO_LONG', 'the text is too long')), {
    title: 'The text is too long.', help: '', requestId: null, again: false, away: false,
  });
});

test('a sentence has a capital and one full stop', () => {
  assert.deepEqual(['so it is', 'Really?', ' '].map(sentence), ['So it is.', 'Really?', '']);
});
