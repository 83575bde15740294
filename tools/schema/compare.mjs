// Compares two files, the released schema and the one of today: prints what may surprise
// clients, and ends with 1 when something breaks them.
//
//   node compare.mjs released.graphql schema.graphql
import { readFileSync } from 'node:fs';
import { changes } from './changes.mjs';

const { breaking, dangerous } = await changes(...process.argv.slice(2).map((file) => readFileSync(file, 'utf8')));
for (const change of dangerous) {
  console.log(`dangerous: ${change}`);
}
for (const change of breaking) {
  console.error(`breaking: ${change}`);
}
if (breaking.length > 0) {
  console.error('What was released may be added to and deprecated, but not renamed or removed.');
  process.exit(1);
}
