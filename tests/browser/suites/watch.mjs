// The visitor detects everything that a page must not do.
import { base, until } from '../support/server.mjs';
import { visit } from '../support/visitor.mjs';

// No server listens there.
const elsewhere = '127.0.0.1:9';

const bad = `<!doctype html><link rel="icon" href="data:,"><script>
  console.error('a complaint');
  fetch('http://${elsewhere}/other').catch(() => {});
  new WebSocket('ws://${elsewhere}/socket');
  throw new Error('an accident');
</script>`;

visit('forbidden actions of a page are detected', {}, async (page, visitor) => {
  const serve = (headers) => (route) => route.fulfill({ contentType: 'text/html', headers, body: bad });
  await page.route(`${base}/bad`, serve({}));
  await page.route(`${base}/strict`, serve({ 'Content-Security-Policy': "default-src 'none'" }));
  const sees = (what) => until(`the watch sees: ${what}`, () => visitor.problems.some((problem) => problem.includes(what)));
  await page.goto('/bad');
  for (const what of ['says: a complaint', `asks for http://${elsewhere}/other`, `a socket to ws://${elsewhere}/socket`, 'an accident']) {
    await sees(what);
  }
  await page.goto('/strict');
  await sees('Content Security Policy');
  visitor.problems.length = 0;
});
