// Package changes makes use of the change log ([feed.ChangeLog]). In one of all processes a
// [Numberer] numbers what has been committed and wakes the others. In each process that serves
// requests a [Follower] evicts from the shared caches what the log names.
//
// A change is committed, numbered within a tenth of a second, or half a second in an idle system, and
// then evicted elsewhere. The signal in between only saves time: without it, followers read the log
// once a second.
package changes
