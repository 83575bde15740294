// Package feedtest contains conformance tests for the ports of package feed. Each port has one
// suite, and every backend runs them all. The test file of a backend has a function that opens its
// stores, and one call for each suite. A source of truth runs [Source] and [SameAsModel]. A store
// of inboxes runs [Inboxes]. Both run [Scenarios], [HomeModel] and [SyncModel], inboxes with a
// source of truth on SQLite (package fixture).
//
// The suites use a backend only through the ports. They check nothing that the ports' comments
// leave open. They never wait: every time is an argument, and a test ends a lease by a renewal with
// a negative duration.
package feedtest
