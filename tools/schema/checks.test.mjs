// The checks of the schema find what they are there for: each of these changes to
// schema.graphql must be found, by the rule that is named or by the comparison.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ESLint } from 'eslint';
import { buildSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { changes } from './changes.mjs';

const schema = readFileSync('schema.graphql', 'utf8');
const dir = mkdtempSync('scratch-');
after(() => rmSync(dir, { recursive: true }));

// The rule for this goes by the order of words in a dictionary, and tools do not.
test('the schema has the order that GraphQL.js gives it', () => {
  const read = buildSchema(schema);
  assert.equal(printSchema(read), printSchema(lexicographicSortSchema(read)));
});

// edited returns the schema with one place changed, which must be there.
function edited(from, to) {
  const out = schema.replace(from, to);
  assert.notEqual(out, schema, `the schema has no ${from}`);
  return out;
}

// field matches a field of a type from its description on, without arguments.
const field = (type, name) => new RegExp(`(?<=\\ntype ${type} [^}]*?)  """\\n[^"]*"""\\n  ${name}: .*\\n`);

const offences = {
  '@graphql-eslint/require-description': [/(?<=enum PostKind \{\n) {2}"""\n[^"]*"""\n/, ''],
  '@graphql-eslint/naming-convention': ['  databaseId: String!', '  database_id: String!'],
  '@graphql-eslint/relay-arguments': [/(?<=\n {2}followers\([^)]*) {4}"""\n[^"]*"""\n {4}first: Int\n/, ''],
  '@graphql-eslint/relay-connection-types': [field('UserConnection', 'pageInfo'), ''],
  '@graphql-eslint/relay-edge-types': [field('UserEdge', 'cursor'), ''],
  '@graphql-eslint/relay-page-info': [field('PageInfo', 'endCursor'), ''],
  '@graphql-eslint/require-deprecation-reason': ['  databaseId: String!', '  databaseId: String! @deprecated'],
};

for (const [rule, [from, to]] of Object.entries(offences)) {
  test(`${rule} is held`, async () => {
    const [{ messages }] = await new ESLint().lintText(edited(from, to), { filePath: 'schema.graphql' });
    assert.ok(messages.some(({ ruleId }) => ruleId === rule), JSON.stringify(messages));
  });
}

// changed returns what it means for clients to change the schema.
const changed = (from, to) => changes(schema, edited(from, to));

const breaks = {
  'a field that is removed': [field('Post', 'text'), ''],
  'a field that may be null from now on': [/(?<=\ntype Post [^}]*)  text: String!/, '  text: String'],
  'an argument that must be given from now on': ['    first: Int\n', '    first: Int!\n'],
  'an input field that must be given from now on': ['  replyTo: ID\n', '  replyTo: ID!\n'],
  'a value that is removed': [/ {2}"""\n[^"]*"""\n {2}REPOST\n/, ''],
};

for (const [what, [from, to]] of Object.entries(breaks)) {
  test(`${what} breaks clients`, async () => {
    const { breaking } = await changed(from, to);
    assert.equal(breaking.length, 1, breaking.join('\n'));
  });
}

test('a value that is added may surprise them', async () => {
  const { breaking, dangerous } = await changed('  REPOST\n', '  REPOST\n  STORY\n');
  assert.deepEqual(breaking, []);
  assert.match(dangerous.join('\n'), /STORY/);
});

test('a field that is added does neither', async () => {
  const added = await changed('  databaseId: String!', '  databaseId: String!\n  madeUp: String');
  assert.deepEqual(added, { breaking: [], dangerous: [] });
});

test('the comparison ends with 1 when clients break, and names why', () => {
  const file = join(dir, 'changed.graphql');
  writeFileSync(file, edited(field('Post', 'text'), ''));
  const { status, stderr } = spawnSync(process.execPath, ['compare.mjs', 'schema.graphql', file], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /^breaking: .*Post.*text|^breaking: .*text.*Post/);
});
