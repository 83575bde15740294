// Package capacity predicts what a network of a given size and activity needs: rows and bytes in
// SQL, memory in Redis, commands and statements per second, CPU time, shards and workers, and how
// long the fan-out of a popular author's post takes. It measures nothing: the benchmark of capacity
// (package bench) measures the cost of single reads and pushes and stores them as points, from
// which Fit derives its coefficients.
//
// The model is arithmetic on means, with two laws: the number of follows of a user is Pareto
// distributed, and the number of followers falls with the user's rank by a power law. Package world
// of the load generator makes its networks by the same laws, and real networks roughly follow them.
// Queues over a day are simulated (Play), not computed.
package capacity
