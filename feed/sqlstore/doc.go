// Package sqlstore keeps the source of truth in SQL: users, contents, relations,
// reactions, counters, leases, live sessions, events, plans and progress. One
// implementation serves PostgreSQL and SQLite: each opens in a way of its own, and what
// else differs between the two is in dialect.go and rowset.go.
//
// Queries are written once, in the part of SQL both databases share, with $n
// parameters. Times are BIGINT milliseconds since the epoch, flags are SMALLINT 0
// or 1, and "none" is 0, so that rows scan alike. Leases, leaders, the age of
// plans and the time of progress are on the database's own clock, which all processes
// share.
//
// Every change runs in one transaction that also keeps counters, versions and
// events right. On PostgreSQL rows are locked in one order, users before contents
// before counters and each by ascending id, so that two changes do not wait for
// each other; on SQLite there is one writer at a time. A transition of a live session
// locks the clock of transitions before all of these. An import, which does that after
// it has held its users, holds them only against their deletion, and a deletion has
// nothing to do with that clock.
//
// # Where to look
//
//   - How a store is opened, migrated, retried and closed: store.go, postgres.go, migrate.go,
//     retry.go, tx.go, reasons.go. How a server that does not answer is found: watch.go.
//   - What the two databases differ in: dialect.go, and rowset.go for lists of rows as arguments.
//   - Which columns a user, a post, a session or an edge has: tables.go. How statements are made
//     of them: columns.go and edges.go.
//   - What a page reads: lookups.go and pages.go (shared round trips), users.go, posts.go,
//     relations.go, counters.go, survey.go, outboxes.go, reference.go, binary.go.
//   - What users change: publish.go, reactions.go, follows.go, relater.go, profiles.go,
//     handles.go, live.go; tally.go for counters, group_commits.go for many changes of one row,
//     changelog.go for who must learn of them.
//   - What a fan-out reads and stores: audience.go, leases.go, plans.go, due.go, rerun.go,
//     announced.go, inboxes*.go.
//   - How data comes in and goes out: import*.go, dump*.go, absent.go.
//   - What runs from time to time: cleanup.go, purge*.go, revocations.go, observations.go.
package sqlstore
