// Package capacity predicts the resources of a network of a given size and activity. These are SQL
// rows and bytes, Redis memory, commands and statements per second, CPU time, shards and workers.
// It also predicts the fan-out time of a popular author's post. It measures nothing itself. The
// benchmark of capacity (package bench) measures the cost of single reads and pushes and stores
// them as points. Fit derives the coefficients from these points.
//
// The model is arithmetic on means, with two laws: the number of follows of a user is Pareto
// distributed, and the number of followers falls with the user's rank by a power law. Package world
// of the load generator makes its networks by the same laws, and real networks roughly follow them.
// Queues over a day are simulated (Model.Simulate), not computed.
package capacity
