// Bundles the client into ../dist/client: scripts and one style sheet with a hash of
// their content in their names, the licence texts of what went in, and a manifest.
// Nothing in the output depends on the time, the machine or the folder.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { defineConfig, type Plugin } from 'vite';

import { licenceTexts } from '../licences.mjs';
import { relayTags } from './relay-tags.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

// Writes the license texts of all bundled packages next to the bundles.
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
  // Drop the legacy API of react-relay.
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
    // go:embed ignores names with a leading dot.
    manifest: 'manifest.json',
    reportCompressedSize: false,
    rolldownOptions: {
      input: { client: 'src/main.tsx' },
      output: {
        entryFileNames: '[name]-[hash].js',
        chunkFileNames: 'client-[name]-[hash].js',
        assetFileNames: 'client-[hash][extname]',
        hashCharacters: 'hex',
        // Libraries change less often than the client, so browsers cache them longer.
        codeSplitting: {
          groups: [
            { name: 'libraries', priority: 1, test: /node_modules[\\/](?!graphql-ws)/ },
            // One script has all of the first page: small ones compress badly.
            { name: 'first', tags: ['$initial'] },
          ],
        },
      },
    },
  },
});
