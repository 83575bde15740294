// Package capacity works out what a network of a given size and habit takes: rows and bytes
// in SQL, memory in Redis, commands and statements a second, processor time, shards and
// workers, and how long a popular author's content is on its way. It computes and measures
// nothing: what one read or one push costs is measured by the benchmark of capacity
// (package bench) and stored as points, from which Fit takes its coefficients.
//
// The model is arithmetic on means, with two laws: how many users somebody follows is a
// Pareto law, and how many follow him falls with his rank by a power law. Both are how
// package world of the load generator makes its networks, and roughly how real ones are.
// What queues do over a day is played (Play), not computed.
package capacity
