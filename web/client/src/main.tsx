// Starts the client in the page that the server sends for each of its addresses.
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/post.css';
import './styles/pages.css';

import { createRoot } from 'react-dom/client';

import { App } from './app/App';
import { followHistory } from './app/history';
import { forgetFailures, loadAhead } from './app/pages';
import { applyTheme, readTheme } from './app/theme';
import { Failure } from './relay/failure';
import { Connection } from './relay/status';
import { demoSecretOf } from './session/session';

/** Delay in ms before the other pages are preloaded; the first page is loaded by then. */
const OTHER_PAGES = 2_000;

applyTheme(readTheme());
followHistory();
// If the client is already open, a demo link only changes the fragment.
addEventListener('hashchange', () => {
  if (demoSecretOf(location.hash) !== null) location.reload();
});
const root = document.getElementById('client');
// The page shows expected failures; they are not logged.
const onCaughtError = (error: unknown) => {
  if (!(error instanceof Failure)) console.error(error);
};
const connection = new Connection('/healthz');
connection.status.subscribe(() => {
  if (!connection.status.get().reachable) return;
  forgetFailures();
  loadAhead();
});
if (root) createRoot(root, { onCaughtError }).render(<App connection={connection} />);
setTimeout(loadAhead, OTHER_PAGES);
