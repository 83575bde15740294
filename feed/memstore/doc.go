// Package memstore implements the ports of package feed in memory. Tests of the domain run on it,
// and tests of other backends compare these with it.
//
// The implementation is simple rather than fast. [Store] is the source of truth behind one mutex.
// It stores nothing that it can compute: it counts rows instead of storing counters, sorts all keys
// for a page, and evaluates the definition of a feed for every post. [Queue] stores tasks until a
// test takes them out, and [Inboxes] stores the inboxes.
package memstore
