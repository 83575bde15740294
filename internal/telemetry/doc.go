// Package telemetry is how a running server is watched: its metrics, in the form that
// Prometheus scrapes, and what its log lines say of the request they belong to.
//
// A [Metrics] is made by the program and handed to whoever has something to count, by
// functions that the counted package asks for: [feed.Trace], and others like it. Nothing
// is registered globally, and a process may have several. docs/metrics.md lists every
// metric; a test compares it with what a server says of itself.
package telemetry
