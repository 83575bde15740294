// Package bench compares Tideline with its baselines. These are a handler that writes the same
// bytes from memory, Mercurius and BullMQ with the same machine and data (bench/peers), and bare
// Redis. goals.go lists the comparisons and their goals. make bench measures all of them in one
// run, interleaved by round, and writes the figures to docs/benchmarks. The documentation takes its
// figures from there. writes.go has the comparisons of writes, which are a run of their own.
//
// The measurements are benchmarks in test files, because they start servers with package testenv.
// The other files process the figures.
package bench
