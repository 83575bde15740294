// Tideline and an accounts service that owns names and pictures, behind both routers. The Go test
// starts the server and writes its input to the environment.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { accountsSchema, startAccounts } from './accounts.mjs';
import { compose, libraries, tidelineSchema } from './compose.mjs';
import { apolloGateway, hiveGateway } from './routers.mjs';

// User 1 follows 2 and 3, with 30 posts each. User 4 blocks user 1.
const { TIDELINE_URL: url, TIDELINE_TOKEN: token, TIDELINE_AUTHOR_TOKEN: authorToken, TIDELINE_OMITTING: omitting } = process.env;

// The two ways of the accounts service to own fields, with the schema of Tideline in each.
const ways = {
  '@override': { overrides: true, schema: await tidelineSchema() },
  '--federation-omit': { overrides: false, schema: await readFile(omitting, 'utf8') },
};

const subgraphs = ({ overrides, schema }, accountsURL) => ({
  tideline: { schema, url },
  accounts: { schema: accountsSchema(overrides), url: accountsURL },
});

for (const library of Object.keys(libraries)) {
  test(`${library} composes the subgraph, alone and with accounts`, () => {
    const alone = Object.values(ways).map(({ schema }) => ({ tideline: { schema, url } }));
    const joined = Object.values(ways).map((way) => subgraphs(way, 'http://accounts.example'));
    for (const list of [...alone, ...joined]) {
      const supergraph = compose(library, list);
      assert.match(supergraph, /type Mutation/);
      assert.match(supergraph, /@listSize\(|@cost\(/, 'the costs are lost');
      assert.doesNotMatch(supergraph, /^ {2}node\(/m, 'Query.node is in the subgraph');
    }
  });
}

const routers = {
  '@apollo/gateway': { start: apolloGateway, library: '@apollo/composition' },
  'Hive Gateway': { start: hiveGateway, library: '@theguild/federation-composition' },
};

const profileOf = (id) => ({
  databaseId: id,
  name: `Account ${id}`,
  avatarUrl: `https://accounts.example/${id}.png`,
  email: `${id}@accounts.example`,
});

for (const [router, { start, library }] of Object.entries(routers)) {
  for (const [name, way] of Object.entries(ways)) {
    describe(`${router} with ${name}`, () => behind(start, library, way));
  }
}

function behind(start, library, way) {
  let accounts, router;
  before(async () => {
    accounts = await startAccounts(way.overrides);
    router = await start(compose(library, subgraphs(way, accounts.url)));
  });
  after(async () => {
    await router.close();
    accounts.close();
  });

  // must executes an operation that has no errors.
  const must = async (query, variables, as = token) => {
    const { data, errors } = await router.execute(query, variables, as);
    assert.equal(errors, undefined, JSON.stringify(errors));
    return data;
  };
  const codeOf = async (query, variables, as) => {
    const { errors } = await router.execute(query, variables, as);
    return errors?.[0]?.extensions?.code;
  };

  test('a page has the names of the accounts service, in one request', async () => {
    accounts.taken();
    const { viewer } = await must(`{ viewer { homeFeed(first: 20) {
      nodes { text author { databaseId handle name avatarUrl email } }
    } } }`);
    const { nodes } = viewer.homeFeed;
    assert.equal(nodes.length, 20);
    for (const { author } of nodes) {
      const { handle, ...profile } = author;
      assert.equal(handle, `u${author.databaseId}`);
      assert.deepEqual(profile, profileOf(author.databaseId));
    }
    assert.equal(accounts.taken(), 1);
  });

  test('a feed is read to its end by cursors', async () => {
    const texts = [];
    for (let after = null, more = true; more; ) {
      const { viewer } = await must(
        `query ($after: String) { viewer { homeFeed(first: 25, after: $after) {
          edges { cursor node { text } } pageInfo { hasNextPage endCursor }
        } } }`,
        { after },
      );
      const { edges, pageInfo } = viewer.homeFeed;
      texts.push(...edges.map((edge) => edge.node.text));
      ({ hasNextPage: more, endCursor: after } = pageInfo);
    }
    const read = texts.filter((text) => text.startsWith('post '));
    assert.equal(new Set(read).size, 60);
    assert.equal(read.length, 60);
  });

  test('accounts have feeds, by the id that the accounts service knows', async () => {
    const { account } = await must(`{ account(databaseId: "3") {
      email handle counters { posts } posts(first: 2) { nodes { text author { name } } }
    } }`);
    const { posts, ...rest } = account;
    assert.deepEqual(rest, { email: '3@accounts.example', handle: 'u3', counters: { posts: 30 } });
    assert.deepEqual(posts.nodes.map((post) => post.author.name), ['Account 3', 'Account 3']);
  });

  test('a hundred accounts have their handles', async () => {
    const databaseIds = Array.from({ length: 100 }, (_, i) => String((i % 3) + 1));
    const { accounts: list } = await must('query ($databaseIds: [String!]!) { accounts(databaseIds: $databaseIds) { handle } }', { databaseIds });
    assert.deepEqual(list.map((user) => user.handle), databaseIds.map((id) => `u${id}`));
  });

  test('a user that the viewer may not see is null', async () => {
    const blocked = '{ account(databaseId: "4") { email handle } }';
    const { data } = await router.execute(blocked, {}, token);
    assert.equal(data.account, null);
    assert.deepEqual(await must(blocked, {}, authorToken), { account: { email: '4@accounts.example', handle: 'u4' } });
  });

  test('a mutation changes what later queries read', async () => {
    const publish = 'mutation ($input: PublishPostInput!) { publishPost(input: $input) { post { text author { name } } userErrors { code field } } }';
    const text = `by ${start.name}, ${way.overrides}`;
    const { publishPost } = await must(publish, { input: { text } }, authorToken);
    assert.deepEqual(publishPost, { post: { text, author: { name: 'Account 2' } }, userErrors: [] });
    // The follower sees the post once it is pushed.
    const until = Date.now() + 30_000;
    let newest;
    do {
      const { viewer } = await must('{ viewer { homeFeed(first: 1) { nodes { text } } } }');
      newest = viewer.homeFeed.nodes[0].text;
    } while (newest !== text && Date.now() < until);
    assert.equal(newest, text);
  });

  test('refusals are userErrors', async () => {
    const { followUser } = await must('mutation { followUser(input: { userId: "unknown" }) { user { name } userErrors { code field } } }');
    assert.deepEqual(followUser, { user: null, userErrors: [{ code: 'NOT_FOUND', field: ['userId'] }] });
  });

  test('errors keep their codes', async () => {
    assert.equal(await codeOf('{ viewer { homeFeed(after: "nonsense") { nodes { id } } } }', {}, token), 'BAD_CURSOR');
    assert.equal(await codeOf('mutation { followUser(input: { userId: "x" }) { userErrors { code } } }'), 'UNAUTHENTICATED');
    assert.equal(await codeOf('{ viewer { homeFeed(first: 101) { nodes { id } } } }', {}, token), 'BAD_USER_INPUT');
  });

  if (start === hiveGateway) {
    test('a subscription delivers new posts with names', async () => {
      const { viewer } = await must('{ viewer { homeFeed(first: 1) { syncToken } } }');
      const publish = 'mutation ($text: String!) { publishPost(input: { text: $text }) { post { id } } }';
      await must(publish, { text: 'news' }, authorToken);
      const subscription = 'subscription ($since: String) { homeFeedEdges(since: $since) { node { text author { name } } } }';
      const results = router.subscribe(subscription, { since: viewer.homeFeed.syncToken }, token);
      let { value } = await results.next();
      // Posts that the page has shown may be sent again.
      for (let again = 0; again < 3 && value.data.homeFeedEdges.node.text !== 'news'; again++) ({ value } = await results.next());
      assert.deepEqual(value, { data: { homeFeedEdges: { node: { text: 'news', author: { name: 'Account 2' } } } } });
      await results.return();
    });
  }
}
