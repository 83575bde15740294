import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fetchQuery, createOperationDescriptor, Environment, getRequest, Network, RecordSource, Store, type GraphQLResponse } from 'relay-runtime';

import liveNow, { type LiveNowQuery } from '../__generated__/LiveNowQuery.graphql';
import { beginRead, forgetRead, isOutdated, noteChange, readAfresh } from './reads';

const variables = { first: 4 };
const { identifier } = createOperationDescriptor(getRequest(liveNow), variables).request;

// An environment whose requests wait until the test answers them, in order.
function world() {
  const waiting: ((response: GraphQLResponse) => void)[] = [];
  let sent = 0;
  const environment = new Environment({
    network: Network.create(() => {
      sent++;
      return new Promise((resolve) => waiting.push(resolve));
    }),
    store: new Store(new RecordSource()),
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    environment,
    sent: () => sent,
    async answer() {
      waiting.shift()?.({ data: { viewer: null } });
      await settled();
    },
  };
}

test('a mutation during the first read makes it outdated', () => {
  const { environment } = world();
  beginRead(environment, identifier);
  assert.equal(isOutdated(environment, identifier), false);
  noteChange(environment);
  // React renders a suspended component more than once.
  beginRead(environment, identifier);
  assert.equal(isOutdated(environment, identifier), true);
  assert.equal(isOutdated(world().environment, identifier), false);
});

test('a mutation before a read does not make it outdated', () => {
  const { environment } = world();
  noteChange(environment);
  beginRead(environment, identifier);
  assert.equal(isOutdated(environment, identifier), false);
  noteChange(environment);
  forgetRead(environment, identifier);
  beginRead(environment, identifier);
  assert.equal(isOutdated(environment, identifier), false);
});

test('a query is sent once if none is active', async () => {
  const { environment, sent, answer } = world();
  const read = readAfresh<LiveNowQuery>(environment, identifier, liveNow, variables);
  await answer();
  await read;
  assert.equal(sent(), 1);
});

test('an active query is sent again afterwards', async () => {
  const { environment, sent, answer } = world();
  fetchQuery<LiveNowQuery>(environment, liveNow, variables).subscribe({});
  const reads = [1, 2].map(() => readAfresh<LiveNowQuery>(environment, identifier, liveNow, variables));
  assert.equal(sent(), 1);
  await answer();
  assert.equal(sent(), 2);
  await answer();
  await Promise.all(reads);
  assert.equal(sent(), 2);
});
