// Package telemetry observes a running server: its Prometheus metrics, its traces, and the
// context of its log lines.
//
// The program creates a [Metrics] and passes its methods to other packages as functions, for
// example by [feed.Trace]. There is no global registry, so a process can have several.
// docs/metrics.md lists every metric; a test compares it with a server.
package telemetry
