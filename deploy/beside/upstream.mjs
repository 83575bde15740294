// An example of the services that own posts, users and counters, without a library. It serves them
// from a file of change records, for --upstream-protocol=json.
//
//   node deploy/beside/upstream.mjs 127.0.0.1:9000 records.ndjson
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const [address = "127.0.0.1:9000", file = "records.ndjson"] = process.argv.slice(2);
const posts = new Map(), users = new Map(), countersOfPosts = new Map(), countersOfUsers = new Map();
for (const line of readFileSync(file, "utf8").split("\n")) {
  if (line === "") continue;
  const record = JSON.parse(line);
  if (record.type === "post") posts.set(record.id, record);
  if (record.type === "user") users.set(record.id, record);
  if (record.type === "counters" && record.post) countersOfPosts.set(record.post, record);
  if (record.type === "counters" && record.user) countersOfUsers.set(record.user, record);
}

// 64-bit numbers are texts, because JavaScript's numbers lose digits.
const version = ({ version = 0, epoch = 0 }) => ({ version: String(version), epoch: String(epoch) });

// results has a result for each id; content returns what was found.
const results = (ids = [], records, content) => ({
  results: ids.map((id) => {
    const record = records.get(id);
    if (record === undefined) return { id, notFound: {} };
    if (record.deletedAt) return { id, gone: version(record) };
    return { id, found: { ...version(record), ...content(record) } };
  }),
});

const customOf = (custom) => custom && JSON.stringify(custom);

const counters = (ids = [], records, names) =>
  ids.map((id) => ({ id, ...Object.fromEntries(names.map((name) => [name, String(records.get(id)?.[name] ?? 0)])) }));

const services = {
  "/tideline.v1.PostService/BatchGet": ({ ids }) =>
    results(ids, posts, ({ text, media = [], editedAt, custom }) => ({ text, media, editedAt, custom: customOf(custom) })),
  "/tideline.v1.UserService/BatchGet": ({ ids }) =>
    results(ids, users, ({ handle, name, avatarUrl, custom }) => ({ handle, name, avatarUrl, custom: customOf(custom) })),
  "/tideline.v1.CounterService/BatchGet": ({ postIds, userIds }) => ({
    posts: counters(postIds, countersOfPosts, ["likes", "comments", "reposts", "favorites"]),
    users: counters(userIds, countersOfUsers, ["followers", "following", "posts"]),
  }),
};

const server = createServer(async (request, response) => {
  const service = services[request.url];
  if (service === undefined || request.method !== "POST") {
    response.writeHead(404).end();
    return;
  }
  try {
    const chunks = await request.toArray();
    const answer = JSON.stringify(service(JSON.parse(Buffer.concat(chunks).toString())));
    response.writeHead(200, { "Content-Type": "application/json" }).end(answer);
  } catch (error) {
    console.error(error);
    response.writeHead(400).end();
  }
});
const [host, port] = address.split(":");
server.listen(Number(port), host, () => console.log(`serving on http://${host}:${server.address().port}`));
