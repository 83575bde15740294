// The audits of GraphQL over HTTP, all of which must pass. AUDIT_REPORT names a file to
// write what came out to.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { auditServer } from 'graphql-http';

const { version } = createRequire(import.meta.url)('graphql-http/package.json');

test('every audit of graphql-http passes', async () => {
  const results = await auditServer({ url: process.env.TIDELINE_URL, fetchFn: fetch });
  const passed = results.filter((r) => r.status === 'ok');
  const lines = results.map((r) => `${r.status.padEnd(6)} ${r.id}  ${r.name}${r.reason ? `: ${r.reason}` : ''}`);
  const report = `graphql-http ${version}: ${passed.length} of ${results.length} audits passed\n\n${lines.join('\n')}\n`;
  if (process.env.AUDIT_REPORT) {
    writeFileSync(process.env.AUDIT_REPORT, report);
  }
  assert.equal(passed.length, results.length, report);
  assert.equal(results.length, 61);
});
