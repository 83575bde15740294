// Package bench compares Tideline with what it is measured against: a handler that writes
// the same bytes from memory, Mercurius and BullMQ on the same machine and the same data
// (tests/peers), and bare Redis. The comparisons and their goals are in goals.go; make bench
// measures all of them in one run, interleaved round by round, and writes the figures to
// docs/benchmarks, from where documentation takes them.
//
// The measuring itself is a benchmark, because it starts the servers that tests start
// (package testenv); this part holds what becomes of the figures.
package bench
