// Visitors: people with a browser of their own, signed in or not, whose pages are watched.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { chromium } from 'playwright-core';
import { base, limit, tokenOf } from './server.mjs';

// Screens that pages are looked at on.
export const desk = { viewport: { width: 1280, height: 900 } };
export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const flags = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-dev-shm-usage', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

let launching;

// browser returns the one Chromium that all visitors share.
function browser() {
  launching ??= chromium.launch({ executablePath: process.env.CHROMIUM, args: flags });
  return launching;
}

after(async () => (await launching)?.close());

// Visitor is somebody with a window.
export class Visitor {
  // open opens a window for a user, or for nobody, without any page in it yet.
  static async open({ user, screen = desk, dark = false, at = base } = {}) {
    const context = await (await browser()).newContext({
      ...screen, baseURL: at, colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC',
    });
    context.setDefaultTimeout(limit);
    if (user) {
      const answer = await context.request.post('/session', { data: { token: tokenOf(user) } });
      assert.equal(answer.status(), 200, await answer.text());
    }
    return new Visitor(context, await context.newPage(), at);
  }

  constructor(context, page, at) {
    Object.assign(this, { context, page, problems: [], allowed: [] });
    this.#watch(page, at);
  }

  // #watch notes what no page may do: ask another server for anything, complain in the
  // console, where the browser also says what the content policy forbade, or throw.
  #watch(page, at) {
    const own = (url) => [at, at.replace('http', 'ws')].some((origin) => url.startsWith(`${origin}/`)) || /^(data|blob):/.test(url);
    const note = (what) => this.problems.push(what);
    page.on('request', (request) => own(request.url()) || note(`a page asks for ${request.url()}`));
    page.on('websocket', (socket) => own(socket.url()) || note(`a page opens a socket to ${socket.url()}`));
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && note(`the console says: ${message.text()}`));
    page.on('pageerror', (error) => note(`a page throws: ${error}`));
  }

  // expects says what the console will say, since the visitor brings it about.
  expects(complaint) {
    this.allowed.push(complaint);
  }

  // blamelessly asserts that nothing was noted but what was expected.
  blamelessly() {
    assert.deepEqual(this.problems.filter((problem) => !this.allowed.some((complaint) => complaint.test(problem))), []);
  }

  // picture keeps a picture of what is in the window, or of the whole page.
  async picture(name, { fullPage = false } = {}) {
    const folder = process.env.TIDELINE_SCREENSHOTS;
    mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: path.join(folder, `${name}.png`), fullPage, animations: 'disabled' });
  }
}

// visit tests something that a visitor does, whose pages may do nothing that they should
// not. do gets his page, himself, and a function that lets others in, watched alike. What
// all have before them when it fails is kept as pictures.
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
