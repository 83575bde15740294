// Bundles the client into ../dist/client: scripts and one style sheet with a hash of
// their content in their names, the licence texts of what went in, and a manifest.
// Nothing in the output depends on the time, the machine or the folder.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { defineConfig, type Plugin } from 'vite';

import { licenceTexts } from '../licences.mjs';
import { relayTags } from './relay-tags.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

// Puts the licence texts of all bundled packages beside the bundles.
const licences: Plugin = {
  name: 'licences',
  async generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
    const inputs = modules.filter((id) => id.includes('node_modules')).map((id) => path.relative(here, id.replaceAll('\0', '')));
    this.emitFile({ type: 'asset', fileName: 'LICENCES.txt', source: await licenceTexts(here, inputs) });
  },
};

export default defineConfig({
  root: here,
  base: '/assets/',
  plugins: [relayTags(path.join(here, 'src/__generated__')), licences],
  // The other half of react-relay is its API of old.
  resolve: { alias: [{ find: /^react-relay$/, replacement: 'react-relay/hooks' }] },
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    assetsDir: '',
    assetsInlineLimit: 0,
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    // A name without a dot in front, or the program would not embed it.
    manifest: 'manifest.json',
    reportCompressedSize: false,
    rolldownOptions: {
      input: { client: 'src/main.tsx' },
      output: {
        entryFileNames: '[name]-[hash].js',
        chunkFileNames: 'client-[name]-[hash].js',
        assetFileNames: 'client-[hash][extname]',
        hashCharacters: 'hex',
        // Libraries change less often than the client, so browsers keep them for longer.
        codeSplitting: { groups: [{ name: 'libraries', test: /node_modules[\\/](?!graphql-ws)/ }] },
      },
    },
  },
});
