// Package sqlstore keeps the source of truth in SQL: users, posts, relations, reactions,
// counters, leases, live sessions, events, plans and progress. One implementation serves
// PostgreSQL and SQLite. They differ in how a database is opened, and in dialect.go and
// rowset.go.
//
// Queries are written once, in the SQL that both databases share, with parameters $n. Times are
// BIGINT milliseconds since the epoch, flags are SMALLINT 0 or 1, and 0 is "none", so that rows
// scan alike. Leases, leaders, the age of plans and the time of progress use the clock of the
// database, which all processes share.
//
// Every change is one transaction, which also updates counters, versions and events. On
// PostgreSQL all transactions lock rows in one order, so that they do not deadlock: users, then
// posts, then counters, each by ascending id. SQLite has one writer at a time. A transition of a
// live session locks the clock of transitions before all of these. An import locks its users
// first, but only against deletion, and a deletion does not use that clock.
//
// # Where to look
//
//   - How a store is opened, migrated, retried and closed: store.go, postgres*.go, migrate.go,
//     retry.go, tx.go, reasons.go, conn_limit.go. How a silent server is detected: watch.go.
//   - What differs between the databases: dialect.go, and rowset.go for lists of rows as
//     arguments; bigints.go, binary.go and keylist.go for PostgreSQL's wire format, statements.go
//     for prepared statements of SQLite.
//   - Which columns a user, a post, a session or an edge has: tables.go. How statements are made
//     from them: columns.go and edges.go.
//   - What a page reads: lookups.go and pages.go (shared round trips), users.go, posts.go,
//     relations.go, counters.go, survey.go, lists.go, outboxes.go, coverage.go, reference.go,
//     search.go, replays.go, live_*.go.
//   - What users change: publish.go, reactions.go, follows.go, relater.go, profiles.go,
//     handles.go, live.go; tally.go for counters, source_counters.go for those of records,
//     group_commits.go for concurrent changes of one row, changelog.go and reposts.go for the log
//     of changes.
//   - What a fan-out reads and stores: audience.go, leases.go, plans.go, due.go, rerun.go,
//     progress.go, announced.go, inboxes*.go.
//   - How data is imported and exported: import*.go, dump*.go, absent.go.
//   - What runs periodically: activity.go, pulses.go, storage_formats.go, probe.go, cleanup.go,
//     purge*.go, revocations.go, observations.go.
package sqlstore
