// Package http1 answers the plain requests of HTTP/1.1 connections itself, and leaves
// everything else to net/http.
//
// A plain request is one of which there cannot be two opinions: GET, HEAD, OPTIONS or POST
// for a path, headers of printable ASCII on a line each, one Host, and a body, if any, whose
// length is told once and in digits. Whatever else a connection brings, such as chunks, an
// upgrade, an expectation, HTTP/1.0 or 2, or bytes that are no request at all, net/http gets
// the connection with these bytes, before anything has been made of them, and keeps it. So
// nothing is refused here: this package has no opinion of its own on what is wrong.
//
// What it spares is what net/http does for requests that are not plain, or that come one by
// one. Clients send the same head with each request of a connection, so it is parsed once and
// then compared. An answer is sent in one piece, with its length. Deadlines of connections
// that are used all the time are set once in a second, and nobody waits for the end of a
// connection beside a request that takes milliseconds.
//
// A handler sees what it would see behind net/http: the same request, a header of its own, a
// context that ends with the request or when the client is gone, and panics that cut the
// connection. Two things are missing. An answer is held back until the handler has returned,
// or has written as many bytes as it said it would; [net/http.Flusher] and
// [net/http.Hijacker] are not there. And informational answers are not sent. Requests whose
// handlers need these are named when a [Server] is made.
//
// Why it exists, and what stands against it, is in docs/adr/0045.
package http1
