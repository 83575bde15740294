// Prints the first pages of a home feed:
//
//   TIDELINE_TOKEN=$(cd ../.. && go run . token --user 10) npm run example
import { Tideline } from './client.ts';
import { homeFeed } from './feeds.ts';

const pages = 3;

const client = new Tideline({
  base: process.env['TIDELINE_URL'] ?? 'http://127.0.0.1:8080',
  token: () => process.env['TIDELINE_TOKEN'] ?? '',
});

let read = 0;
for await (const page of homeFeed(client)) {
  for (const { node } of page) {
    console.log(`${node.publishedAt}  ${node.author.name}: ${node.text}  (${node.counters.likes} likes)`);
  }
  read += 1;
  if (read === pages) break;
}
