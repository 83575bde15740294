// Bundles GraphiQL into ../dist/graphiql: one script, one style sheet, the licence
// texts of what went in, and a manifest that names them. File names carry a hash of
// their content, so they may be cached for ever. Nothing in the output depends on
// the time, the machine or the folder the build runs in.
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { licenceTexts } from '../licences.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.join(here, '../dist/graphiql');

// GraphiQL's style sheet carries 360 kB of fonts as data: addresses. Without them
// the page needs no font-src in its policy and the binary is that much smaller.
const withoutFonts = {
  name: 'without-fonts',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]graphiql[\\/]dist[\\/]style\.css$/ }, async ({ path: file }) => ({
      contents: (await readFile(file, 'utf8')).replace(/@font-face\s*{[^}]*}/g, ''),
      loader: 'css',
    }));
  },
};

await rm(out, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: { graphiql: 'src/main.jsx' },
  outdir: out,
  entryNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['es2022'],
  jsx: 'automatic',
  charset: 'utf8',
  legalComments: 'none',
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.graphql': 'text' },
  alias: { 'react-style-singleton': './src/adopted-styles.js' },
  plugins: [withoutFonts],
  metafile: true,
  logLevel: 'warning',
});

const names = Object.keys(metafile.outputs).map((name) => path.basename(name));
const manifest = {
  script: names.find((name) => name.endsWith('.js')),
  style: names.find((name) => name.endsWith('.css')),
};
await writeFile(path.join(out, 'manifest.json'), JSON.stringify(manifest, null, 2) + '\n');
await writeFile(path.join(out, 'LICENCES.txt'), await licenceTexts(here, Object.keys(metafile.inputs)));
