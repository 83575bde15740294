// Runs the unit tests: bundles each src/**/*.test.ts for Node.js and hands them to its
// test runner.
import { spawnSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

import { build } from 'vite';

const files = (await readdir('src', { recursive: true })).filter((name) => name.endsWith('.test.ts'));
// Where the bundles find the packages that they import.
const outDir = path.resolve('node_modules/.tests');
try {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      rolldownOptions: {
        input: Object.fromEntries(files.map((name) => [name.replace(/\W/g, '-'), path.join('src', name)])),
        output: { entryFileNames: '[name].mjs' },
      },
    },
  });
  const bundles = (await readdir(outDir)).filter((name) => name.endsWith('-test-ts.mjs')).map((name) => path.join(outDir, name));
  if (bundles.length !== files.length) throw new Error(`${files.length} test files became ${bundles.length}`);
  const { status } = spawnSync(process.execPath, ['--test', '--test-reporter=dot', ...bundles], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  await rm(outDir, { recursive: true, force: true });
}
