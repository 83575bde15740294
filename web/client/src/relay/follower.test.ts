import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Environment, Network, Observable, RecordSource, Store, type GraphQLResponse } from 'relay-runtime';

import changes, { type changesLiveSubscription } from '../__generated__/changesLiveSubscription.graphql';
import { Follower } from './follower';

interface Sink {
  next(value: GraphQLResponse): void;
  complete(): void;
}

// A follower that begins with the token t0, the tokens of its subscriptions, and the last of them.
function following() {
  const sent: unknown[] = [];
  const open: Sink[] = [];
  const reopened = new Set<() => void>();
  const environment = new Environment({
    network: Network.create(() => assert.fail('a query was sent'), (_, { since }) => Observable.create((sink) => {
      sent.push(since);
      open.push(sink);
    })),
    store: new Store(new RecordSource()),
  });
  const socket = {
    onReopen: (again: () => void) => {
      reopened.add(again);
      return () => reopened.delete(again);
    },
  };
  const follower = new Follower<changesLiveSubscription>(environment, socket, {
    subscription: changes, begin: () => Promise.resolve('t0'), apply: ({ liveChanges }) => liveChanges.syncToken,
  });
  return {
    follower,
    sent,
    last: () => open.at(-1) ?? assert.fail('nothing was sent'),
    event: (syncToken: string): GraphQLResponse => ({ data: { liveChanges: { changes: [], syncToken } } }),
    reopen: () => reopened.forEach((again) => again()),
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a reconnect goes on after the last token', async () => {
  const { follower, sent, last, event, reopen } = following();
  const stop = follower.start();
  await settled();
  last().next(event('t1'));
  last().next(event('t2'));
  reopen();
  assert.deepEqual(sent, ['t0', 't2']);
  stop();
  reopen();
  assert.equal(sent.length, 2);
});

test('a subscription that ends begins again later', async (t) => {
  const { follower, sent, last, event } = following();
  const stop = follower.start();
  await settled();
  last().next(event('t1'));
  t.mock.timers.enable({ apis: ['setTimeout'] });
  last().complete();
  assert.deepEqual(sent, ['t0']);
  t.mock.timers.tick(500);
  assert.deepEqual(sent, ['t0', 't1']);
  stop();
});

test('another page replaces the token', async () => {
  const { follower, sent } = following();
  follower.goOn('t9');
  const stop = follower.start();
  await settled();
  assert.equal(follower.since, 't9');
  follower.goOn('t10');
  assert.deepEqual(sent, ['t9', 't10']);
  stop();
});
