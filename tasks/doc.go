// Package tasks carries the domain's background work over Redis by asynq, and is
// the only package that knows asynq. [Queue] is the domain's queue port, [Worker]
// takes the work and hands it to one domain method per task type, [Every] runs what is
// periodic, and [UI] shows the queues to operators.
//
// Nothing correct depends on this package. What must happen is kept in SQL and is
// dispatched again from there, so a task may be lost, doubled, late or out of
// order: handlers are idempotent, and whether work is done is never read from a
// queue. The tasks themselves are described in docs/tasks.md.
package tasks
