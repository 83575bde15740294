// Package transport speaks GraphQL to the network, in every way this server can be
// asked:
//
//   - GraphQL over HTTP: POST with a JSON body, and GET for queries;
//   - server-sent events, one operation a connection: the same requests with
//     Accept: text/event-stream, which is also what a browser's EventSource sends;
//   - WebSocket with the subprotocol graphql-transport-ws.
//
// [Transport] is one transport for all of them, so that what none takes is answered
// with the right status. It stands before gqlgen's executor, which parses, validates
// and runs operations, and it holds the limits of a connection: the size of a request,
// the time for a sign-in, an operation and a write, and how many operations, streams
// and sockets there may be. What a document may ask for is judged behind it.
//
// Forms, multipart bodies and batches do not exist. Forms can be sent by any web page
// to any site without asking, along with the user's cookies, and a batch is a way
// around limits that count requests.
//
// A stream or a socket outlives the request that began it. It ends when its token
// does, and [Transport.Drain] ends all of them when the server stops.
package transport
