// Starts the client in the page that the server sends for each of its addresses.
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/post.css';
import './styles/pages.css';

import { createRoot } from 'react-dom/client';

import { App } from './app/App';
import { followHistory } from './app/history';
import { loadAhead } from './app/pages';
import { applyTheme, readTheme } from './app/theme';
import { Failure } from './relay/failure';
import { Connection } from './relay/status';

applyTheme(readTheme());
followHistory();
const root = document.getElementById('client');
// What is expected to fail is told on the page, and is nothing for the console.
const onCaughtError = (error: unknown) => {
  if (!(error instanceof Failure)) console.error(error);
};
if (root) createRoot(root, { onCaughtError }).render(<App connection={new Connection('/healthz')} />);
loadAhead();
