// Replaces the build plugin that inserts the output of relay-compiler for each document.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

// graphql returns what a document was compiled to, by the name of its operation or
// fragment.
export function graphql([text]) {
  const [, name] = /^\s*(?:query|mutation|subscription|fragment) (\w+)/.exec(text);
  return require(`./compiled/${name}.graphql.js`);
}
