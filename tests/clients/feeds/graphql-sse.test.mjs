// graphql-sse: each page has its own stream, next to the stream of the subscription.
import { test } from 'node:test';
import { createClient } from 'graphql-sse';
import { follow } from './follow.mjs';
import { url } from './world.mjs';

test('graphql-sse reads a feed to its end while posts are published', () =>
  follow('graphql-sse', (token) => createClient({ url, retryAttempts: 0, headers: { Authorization: `Bearer ${token}` } })));
