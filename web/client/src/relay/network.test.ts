import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import type { INetwork, RequestParameters } from 'relay-runtime';

import { createStore } from '../parts/store';
import { Failure } from './failure';
import { createNetwork } from './network';
import type { Status } from './status';

const fetchOfNode = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = fetchOfNode;
});

// Answers requests in turn and records events.
function world(answers: (Response | Error)[], known = true) {
  const seen: string[] = [];
  const status = createStore<Status>({ reachable: true, limitedUntil: 0 });
  globalThis.fetch = async () => {
    seen.push('asked');
    const answer = answers.shift();
    if (!(answer instanceof Response)) throw answer ?? new Error('unexpected request');
    return answer;
  };
  const link = {
    status,
    asked: () => () => void seen.push('answered'),
    lost: () => seen.push('lost'),
    limited(seconds: number) {
      seen.push(`limited ${seconds}`);
      status.set({ reachable: true, limitedUntil: Date.now() + seconds * 1_000 });
    },
  };
  const socket = { subscribe: () => () => undefined };
  const network = createNetwork('/graphql', link, socket, { known, signedOut: () => seen.push('signed out') });
  return { network, seen };
}

const answer = (body: object, status = 200, headers: Record<string, string> = {}) => new Response(JSON.stringify(body), { status, headers });
const refused = (code: string, status = 200, headers = {}) => answer({ errors: [{ message: 'no', extensions: { code, requestId: 'r' } }] }, status, headers);

const run = (network: INetwork, operationKind: 'query' | 'mutation') =>
  network.execute({ operationKind, text: '{ x }', name: 'x' } as RequestParameters, {}, {}).toPromise();

const codeOf = (code: string) => (error: unknown) => error instanceof Failure && error.code === code;

test('a response is passed on', async () => {
  const { network, seen } = world([answer({ data: { viewer: { id: '1' } } })]);
  assert.deepEqual(await run(network, 'query'), { data: { viewer: { id: '1' } } });
  assert.deepEqual(seen, ['asked', 'answered']);
});

test('an unreachable server is not a refusing one', async () => {
  const { network, seen } = world([new TypeError('no network')]);
  await assert.rejects(run(network, 'query'), codeOf('UNREACHABLE'));
  assert.deepEqual(seen, ['asked', 'lost']);
});

test('nothing is sent during a rate limit', async () => {
  const { network, seen } = world([refused('RATE_LIMITED', 429, { 'Retry-After': '30' })]);
  await assert.rejects(run(network, 'query'), codeOf('RATE_LIMITED'));
  await assert.rejects(run(network, 'query'), (error: unknown) => codeOf('RATE_LIMITED')(error) && (error as Failure).retryAfter === 30);
  assert.deepEqual(seen, ['asked', 'answered', 'limited 30']);
});

test('queries to a busy server are retried, mutations are not', async () => {
  const busy = () => refused('UNAVAILABLE', 503);
  const query = world([busy(), answer({ data: {} })]);
  assert.deepEqual(await run(query.network, 'query'), { data: {} });
  const change = world([busy()]);
  await assert.rejects(run(change.network, 'mutation'), codeOf('UNAVAILABLE'));
  assert.deepEqual(change.seen, ['asked', 'answered']);
});

test('an expired session signs out', async () => {
  for (const gone of [refused('UNAUTHENTICATED', 401), answer({ data: { viewer: null } })]) {
    const { network, seen } = world([gone]);
    await assert.rejects(run(network, 'query'), codeOf('UNAUTHENTICATED'));
    assert.equal(seen.at(-1), 'signed out');
  }
});

test('an anonymous visitor is not signed out', async () => {
  const { network } = world([answer({ data: { viewer: null } })], false);
  assert.deepEqual(await run(network, 'query'), { data: { viewer: null } });
});
