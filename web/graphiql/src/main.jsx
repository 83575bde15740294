// GraphiQL on the service's own endpoint. The page that loads this script names
// the endpoint in the data-endpoint attribute of its #graphiql element.
import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import { createClient } from 'graphql-ws';
import { createRoot } from 'react-dom/client';

import 'graphiql/style.css';
import './theme.css';

import defaultQuery from './default-query.graphql';

const root = document.getElementById('graphiql');
const endpoint = new URL(root.dataset.endpoint, window.location.href);

// Subscriptions go over a socket to the same endpoint; it is opened by the first
// subscription, never by opening the page.
const socket = new URL(endpoint);
socket.protocol = socket.protocol === 'https:' ? 'wss:' : 'ws:';

// The cookie of POST /session goes along with same-origin requests, and only with
// them, which is the browser's default; it is spelled out because signing in
// depends on it.
const fetcher = createGraphiQLFetcher({
  url: endpoint.href,
  fetch: (input, init) => fetch(input, { ...init, credentials: 'same-origin' }),
  wsClient: createClient({ url: socket.href, lazy: true }),
});

createRoot(root).render(
  <GraphiQL
    fetcher={fetcher}
    defaultQuery={defaultQuery}
    isHeadersEditorEnabled
    // A bearer token typed into the header editor is not kept in the browser's
    // storage, and the page does not offer to.
    shouldPersistHeaders={false}
    showPersistHeadersSettings={false}
  >
    <GraphiQL.Logo>
      <a className="tideline-logo" href="/">
        Tideline
      </a>
    </GraphiQL.Logo>
  </GraphiQL>,
);
