// Shows who is signed in, and signs in and out, through GET, POST and DELETE
// /session. The token itself lives in a cookie that this script cannot read.

const element = (id) => document.getElementById(id);

// Where a page that is for administrators sent the visitor from, or null. Only an
// address on this server counts: the query is whatever a link says.
const next = (() => {
  const wanted = new URLSearchParams(location.search).get('next');
  if (!wanted || !URL.canParse(wanted, location.href)) return null;
  const address = new URL(wanted, location.href);
  return address.origin === location.origin ? address : null;
})();

let busy = false;

async function call(method, body) {
  const response = await fetch('/session', {
    method,
    headers: body && { 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (response.status === 204) return null;
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.errors[0].message);
  return answer;
}

function sentence({ user, admin }) {
  if (!user) return next ? `Nobody. ${next.pathname} is for administrators: sign in as one to open it.` : 'Nobody.';
  const name = user.handle ? `@${user.handle} (user ${user.id})` : `User ${user.id}`;
  if (admin) return `${name}, an administrator.`;
  return next ? `${name}. ${next.pathname} is for administrators, and this user is none.` : `${name}.`;
}

function show(state) {
  element('status').textContent = sentence(state);
  element('sign-out').hidden = !state.user;
  element('sign-in').hidden = Boolean(state.user);
  element('demo').hidden = state.demoUsers.length === 0;
  element('demo-users').replaceChildren(...state.demoUsers.map(demoUser));
}

function demoUser({ id, handle, name }) {
  const button = document.createElement('button');
  button.type = 'button';
  button.append(...(name ? [text('strong', name), ' '] : []), text('span', `@${handle}`));
  button.addEventListener('click', () => run(() => signIn({ demoUserId: id })));
  const item = document.createElement('li');
  item.append(button);
  return item;
}

function text(tag, content) {
  const made = document.createElement(tag);
  made.textContent = content;
  return made;
}

async function signIn(body) {
  const state = await call('POST', body);
  element('token-form').reset();
  show(state);
  if (next && state.admin) location.assign(next);
  else element('sign-out').focus();
}

async function signOut() {
  await call('DELETE');
  show(await call('GET'));
  element('token').focus();
}

// Runs one action at a time, and says what went wrong with it. Buttons are not
// disabled meanwhile, because a disabled one loses the keyboard's focus.
async function run(action) {
  const section = element('session');
  const problem = element('problem');
  if (busy) return;
  busy = true;
  section.ariaBusy = 'true';
  problem.hidden = true;
  try {
    await action();
  } catch (error) {
    problem.textContent = `That did not work: ${error.message}.`;
    problem.hidden = false;
  } finally {
    busy = false;
    section.ariaBusy = 'false';
  }
}

element('token-form').addEventListener('submit', (event) => {
  event.preventDefault();
  run(() => signIn({ token: element('token').value.trim() }));
});
element('sign-out').addEventListener('click', () => run(signOut));
run(async () => show(await call('GET')));
