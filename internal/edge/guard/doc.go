// Package guard limits what an operation may ask for, before the server does any work for it.
//
// [Guard] is an extension of gqlgen's executor. It finds the document of a request, parses it, and
// measures it: what validation would compare, and what execution would load at most. [Limits]
// bounds both. The guard checks them before validation, whose time may grow with the square of a
// document. Measuring itself takes linear time: it walks each fragment once, and numbers saturate
// at [MaxCount].
//
// The guard then charges the cost of the operation to the client's budgets ([Rate]). While an
// operation runs, it holds one of a fixed number of slots. If all are taken, the holder with the most
// loses its oldest operation, or the guard refuses the new one if no holder has more. Each event of a
// subscription is charged like the operation, and waits for a slot ([Guard.Slot]).
package guard
