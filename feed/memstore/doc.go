// Package memstore keeps everything in memory: every port of package feed, written
// so that it is plainly right. It is the reference model the other backends are
// compared with, and what tests of the domain run on.
//
// [Store] is the source of truth behind one mutex. It derives what others keep:
// it counts by counting, pages by sorting everything, and judges a feed by reading
// its definition aloud. Nothing is fast and nothing can drift. [Queue] holds tasks
// until a test takes them out, and [Inboxes] holds the inboxes.
package memstore
