// Replaces graphql`…` by its artifact from relay-compiler, like babel-plugin-relay but without
// Babel. All artifacts are in one folder, under the name of their operation or fragment.
import path from 'node:path';

const TAG = /graphql`\s*(?:query|mutation|subscription|fragment)\s+(\w+)[^`]*`/g;
const IMPORT = /import \{([^}]*)\bgraphql\b,?([^}]*)\} from '(react-relay|relay-runtime)';/;

/** Returns the plugin; artifacts is the absolute path of the folder they are in. */
export function relayTags(artifacts) {
  return {
    name: 'relay-tags',
    enforce: 'pre',
    transform(code, id) {
      // Only babel-plugin-relay reads the hash of an artifact, which does not compress.
      if (id.endsWith('.graphql.ts')) return { code: code.replace(/^\(node as any\)\.hash = .*$/m, ''), map: null };
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
