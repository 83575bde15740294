// An example of a service that places slots between posts, without a library, for
// --upstream-protocol=json.
//
//   node deploy/beside/slots.mjs 127.0.0.1:9001
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

const [address = "127.0.0.1:9001"] = process.argv.slice(2);
const topics = [
  { title: "Tide tables", text: "High water at every harbour of the coast.", url: "https://example.com/tides" },
  { title: "Shells of the month", text: "Forty kinds, with drawings.", url: "https://example.com/shells" },
];

// place returns a slot after each gap entries, except the last. Each has an id of its own, by which
// clicks can be counted.
const place = ({ entries, gap }) =>
  entries.map((_, n) => n).filter((after) => after > 0 && after % gap === 0).slice(0, 10).map((after, n) => ({
    id: randomUUID(), after, source: "Advertisement", content: JSON.stringify(topics[n % topics.length]),
  }));

const server = createServer(async (request, response) => {
  if (request.url !== "/tideline.v1.SlotService/Place" || request.method !== "POST") {
    response.writeHead(404).end();
    return;
  }
  try {
    const chunks = await request.toArray();
    const slots = place(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ slots }));
  } catch (error) {
    console.error(error);
    response.writeHead(400).end();
  }
});
const [host, port] = address.split(":");
server.listen(Number(port), host, () => console.log(`serving on http://${host}:${server.address().port}`));
