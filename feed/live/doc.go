// Package live is the second domain: live sessions, and the feed of those by the hosts a
// viewer follows.
//
// # Words
//
// A session is announced by its host and then upcoming, live, and a replay, or it is
// cancelled. A transition is one step of that: schedule, reschedule, start, end, cancel.
// Every transition is appended with a number. Numbers are drawn under a lock that is held
// to the commit, so whoever sees a number sees all lower ones, and the state of everything
// as of a number can be computed at any time: nothing is overwritten that this needs.
//
// # Order
//
// What is live comes first, what was started last before the others; then what is upcoming,
// soonest first; then replays, what ended last first. Of equal times the larger id comes
// first. See [Position].
//
// # The feed
//
// LiveFeed(viewer, N, V) is, in this order, every session as of the number N whose host is
// the viewer or somebody he follows by a change of his relations not later than version V;
// less those by hosts whom he has unfollowed since, or mutes, or who are hidden from him or
// he from them by a block or a hide as it stands now; less what is cancelled by now.
//
// A scroll takes N and V once, and its cursors carry them. So all of its pages show one
// moment: a session that changes between two pages neither moves, nor comes twice, nor
// vanishes, one that is new does not enter, and hosts followed later stay out. A node shows
// its state of now beside that, and a refresh begins a new scroll.
//
// # How it is read
//
// What is upcoming and live is pulled. Each host has an ordered set ([Sets]), which a task
// writes after every transition; SQL says which number it must have, so one that lags, or
// was lost, is seen and read from SQL instead. What a first page found is kept as a
// snapshot for the pages behind it ([Snapshots]); when that has gone, SQL computes it again
// as of the scroll's number.
//
// Replays are pushed into replay inboxes by the machinery of package feed, and read by a
// [timeline.Timeline] of their own. The state as of N of a replay needs no look back: a replay
// stays one, and the number of its end says whether the scroll may show it. Hosts of whom a
// push is pending are pulled, so nothing is missing from a page whatever waits in a queue.
package live
