// graphql-ws: pages and the subscription share one socket.
import { test } from 'node:test';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { follow } from './follow.mjs';
import { socketURL } from './world.mjs';

test('graphql-ws reads a feed to its end while posts are published', () =>
  follow('graphql-ws', (token) =>
    createClient({ url: socketURL, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams: { Authorization: `Bearer ${token}` } })));
