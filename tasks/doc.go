// Package tasks runs the domain's background work over Redis with asynq. It is the only package
// that imports asynq. [Queue] implements the domain's queue, [Worker] hands each task to one
// domain method, [Every] runs periodic work, and [UI] shows the queues to operators.
//
// Correctness does not depend on this package. Required work is stored in SQL and dispatched
// again from there, so a task may be lost, duplicated, late or out of order. Handlers are
// idempotent, and no code reads from a queue whether work is done. See docs/tasks.md for the
// tasks.
package tasks
