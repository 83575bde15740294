// Visitors: isolated browser contexts, signed in or not, whose pages are watched.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { chromium } from 'playwright-core';
import { base, limit, tokenOf } from './server.mjs';

// The screens.
export const desk = { viewport: { width: 1280, height: 900 } };
export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const flags = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-dev-shm-usage', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

let launching;

// browser returns the Chromium that all visitors share.
function browser() {
  launching ??= chromium.launch({ executablePath: process.env.CHROMIUM, args: flags });
  return launching;
}

after(async () => (await launching)?.close());

// Visitor is a browser context with one page.
export class Visitor {
  // open opens an empty page for a user, with further claims in their token, or for the anonymous
  // visitor.
  static async open({ user, claims, screen = desk, dark = false, at = base } = {}) {
    const context = await (await browser()).newContext({
      ...screen, baseURL: at, colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC',
    });
    context.setDefaultTimeout(limit);
    if (user) {
      const answer = await context.request.post('/session', { data: { token: tokenOf(user, claims) } });
      assert.equal(answer.status(), 200, await answer.text());
    }
    return new Visitor(context, await context.newPage(), at);
  }

  constructor(context, page, at) {
    Object.assign(this, { context, page, problems: [], allowed: [] });
    this.#watch(page, at);
  }

  // #watch records forbidden actions: requests to other servers, console errors and warnings,
  // which include violations of the content policy, and exceptions.
  #watch(page, at) {
    const own = (url) => [at, at.replace('http', 'ws')].some((origin) => url.startsWith(`${origin}/`)) || /^(data|blob):/.test(url);
    const note = (what) => this.problems.push(what);
    page.on('request', (request) => own(request.url()) || note(`a page asks for ${request.url()}`));
    page.on('websocket', (socket) => own(socket.url()) || note(`a page opens a socket to ${socket.url()}`));
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && note(`the console says: ${message.text()}`));
    page.on('pageerror', (error) => note(`a page throws: ${error}`));
  }

  // expects allows a problem that the test causes.
  expects(complaint) {
    this.allowed.push(complaint);
  }

  // blamelessly asserts that there are no unexpected problems.
  blamelessly() {
    assert.deepEqual(this.problems.filter((problem) => !this.allowed.some((complaint) => complaint.test(problem))), []);
  }

  // picture stores a screenshot of the window or the full page.
  async picture(name, { fullPage = false } = {}) {
    const folder = process.env.TIDELINE_SCREENSHOTS;
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: path.join(folder, `${name}.png`), fullPage, animations: 'disabled' });
  }
}

// visit defines a test. act gets the page, the visitor, and a function that opens further visitors.
// All pages are watched; a failure stores their screenshots.
export function visit(name, options, act) {
  test(name, async () => {
    const visitors = [];
    const open = async (other) => {
      const visitor = await Visitor.open(other);
      visitors.push(visitor);
      return visitor;
    };
    try {
      const visitor = await open(options);
      await act(visitor.page, visitor, open);
      visitors.forEach((one) => one.blamelessly());
    } catch (error) {
      await Promise.all(visitors.map((one, i) => one.picture(`failed ${name} ${i + 1}`.replace(/\W+/g, '-'))));
      throw error;
    } finally {
      await Promise.all(visitors.map(({ context }) => context.close()));
    }
  });
}

// fits asserts that the page is not wider than the screen.
export async function fits(page) {
  const [needs, has] = await page.evaluate(() => [document.documentElement.scrollWidth, screen.width]);
  assert.ok(needs <= has, `the page needs ${needs} pixels of ${has}`);
}
