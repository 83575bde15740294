// Package changes makes use of the change log ([feed.ChangeLog]). In one of all processes a
// [Numberer] numbers what has been committed and wakes the others. In each process that serves
// requests a [Follower] evicts from the shared caches what the log names. In each process that
// writes a [Waker] wakes the numberer.
//
// A change is committed, numbered at once in an idle system and within 50 milliseconds in a busy
// one, and then evicted elsewhere. Signals only save time: without them, the numberer and the
// followers each look once a second.
package changes
