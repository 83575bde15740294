// Replaces graphql`…` by its artifact from relay-compiler, like babel-plugin-relay but without
// Babel. All artifacts are in one folder, under the name of their operation or fragment.
import path from 'node:path';

const TAG = /graphql`\s*(?:query|mutation|subscription|fragment)\s+(\w+)[^`]*`/g;
const IMPORT = /import \{([^}]*)\bgraphql\b,?([^}]*)\} from '(react-relay|relay-runtime)';/;

// Hashes do not compress. Only babel-plugin-relay reads that of an artifact, and the name of a query
// is as unique as the hash that Relay identifies it by. No query has a string with spaces.
function small(code, name) {
  return code
    .replace(/^\(node as any\)\.hash = .*$/m, '')
    .replace(/("cacheID": )"\w+"/, `$1"${name}"`)
    .replace(/^ *"(?:abstractKey|alias|args|filters|metadata|storageKey)": null,?$/gm, '')
    .replace(/^ *"text": ".*"$/m, (text) => text.replace(/(?:\\n| )+/g, ' ').replace(/ ?([(){}:,!]|\.{3}) ?/g, '$1'));
}

/** Returns the plugin; artifacts is the absolute path of the folder they are in. */
export function relayTags(artifacts) {
  return {
    name: 'relay-tags',
    enforce: 'pre',
    transform(code, id) {
      if (id.endsWith('.graphql.ts')) return { code: small(code, path.basename(id, '.graphql.ts')), map: null };
      if (!/\.tsx?$/.test(id) || !code.includes('graphql`')) return null;
      const folder = path.relative(path.dirname(id), artifacts);
      const names = [];
      const body = code.replace(TAG, (_, name) => {
        names.push(name);
        return `artifact${name}`;
      });
      if (body.includes('graphql`')) throw new Error(`${id} has a graphql tag without a name`);
      const imports = names.map((name) => `import artifact${name} from './${folder}/${name}.graphql';`);
      // Insert on the first line, so that line numbers stay correct.
      return { code: imports.join(' ') + body.replace(IMPORT, "import {$1$2} from '$3';"), map: null };
    },
  };
}
