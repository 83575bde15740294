import assert from 'node:assert/strict';
import { test } from 'node:test';

import { homeHref, listHref, parseRoute, postHref, profileHref, requestsHref, searchHref } from './routes';

const at = (address: string) => {
  const { pathname, search } = new URL(address, 'http://here.example');
  return parseRoute(pathname, search);
};

test('every address parses to its route', () => {
  assert.deepEqual(at('/'), { name: 'home', special: false, only: '' });
  assert.equal(homeHref(false, ''), '/');
  for (const special of [false, true]) {
    for (const only of ['', 'posts,media']) assert.deepEqual(at(homeHref(special, only)), { name: 'home', special, only });
  }
  assert.deepEqual(at('/live'), { name: 'live' });
  assert.deepEqual(at('/lists'), { name: 'lists' });
  for (const members of [false, true]) assert.deepEqual(at(listHref('bGlzdDo3/+=', members)), { name: 'list', id: 'bGlzdDo3/+=', members });
  assert.deepEqual(at('/settings'), { name: 'settings' });
  assert.deepEqual(at('/moderation'), { name: 'moderation' });
  assert.deepEqual(at(requestsHref(false)), { name: 'requests', sent: false });
  assert.deepEqual(at(requestsHref(true)), { name: 'requests', sent: true });
  assert.deepEqual(at(profileHref('zoë 100%')), { name: 'profile', handle: 'zoë 100%', tab: 'posts' });
  assert.deepEqual(at(profileHref('ann', 'followers')), { name: 'profile', handle: 'ann', tab: 'followers' });
  assert.deepEqual(at(postHref('cG9zdDo3/+=')), { name: 'post', id: 'cG9zdDo3/+=' });
  assert.deepEqual(at(searchHref('a&b=c #1')), { name: 'search', query: 'a&b=c #1' });
  assert.deepEqual(at(searchHref('')), { name: 'search', query: '' });
});

test('unknown addresses are lost, unknown tabs are the first tab', () => {
  for (const address of ['/u/', '/u/a/b', '/p', '/x', '/requests/sent', '/live/now', '/lists/', '/lists/a/b', '/home']) assert.equal(at(address).name, 'lost', address);
  assert.deepEqual(at('/u/ann?tab=secrets'), { name: 'profile', handle: 'ann', tab: 'posts' });
});

test('an undecodable address is used as it is', () => {
  assert.deepEqual(parseRoute('/u/50%'), { name: 'profile', handle: '50%', tab: 'posts' });
});
