// Package transport serves GraphQL over the network:
//
//   - GraphQL over HTTP: POST with a JSON body, and GET for queries
//   - server-sent events, one operation per connection, for requests with
//     Accept: text/event-stream
//   - server-sent events of several operations over one connection, which a client reserves by PUT,
//     opens by GET, and cancels operations of by DELETE: the single connection mode of graphql-sse
//   - multipart/mixed for queries with deferred fields: the rest of the data in further parts
//   - multipart subscriptions, one per connection, for requests with
//     Accept: multipart/mixed; subscriptionSpec=1.0
//   - subscriptions whose events are sent to a URL of the client, by Apollo's HTTP callback protocol
//   - WebSocket with the subprotocol graphql-transport-ws
//
// One [Transport] serves all of them, so that each request gets the right status. It enforces the
// limits of connections: the size of a request; the time for a sign-in, an operation and a write;
// and the number of operations, streams and sockets. Package guard limits documents.
//
// There are no forms, multipart bodies or batches. Any web page can send a form to any site with
// the user's cookies, and batches evade limits on requests.
//
// Streams and sockets end with their token. [Transport.Drain] ends all of them when the server
// stops.
package transport
