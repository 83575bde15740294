// Package live has live sessions and the live feed: the sessions of the hosts that a viewer
// follows.
//
// # Terms
//
// A session is upcoming, then live, then a replay; or it is cancelled. A transition is one step
// of that: schedule, reschedule, start, end, cancel. Every transition has a number. Numbers are
// drawn under a lock that is held until the commit, so a reader who sees a number sees all lower
// ones. History is kept, so the state of all sessions can be computed as of any number.
//
// # Order
//
// Live sessions come first, latest start first; then upcoming ones, soonest first; then replays,
// latest end first. Of equal times the larger id comes first ([Position]).
//
// # The feed
//
// LiveFeed(viewer, N, V) is, in this order, every session as of number N whose host is the viewer
// or a followee by a change not later than relations version V. It leaves out hosts that the
// viewer has unfollowed since or mutes, hosts hidden from the viewer or the viewer from them by a
// block or hide now, and sessions cancelled by now.
//
// A scroll fixes N and V, and its cursors carry them. All of its pages show one moment: a session
// that changes between two pages does not move, repeat or disappear, new sessions do not enter,
// and hosts followed later stay out. Each entry also has the session as it is now. A refresh
// begins another scroll.
//
// # Reads
//
// Upcoming and live sessions are pulled. Each host has an ordered set ([Sets]), which a task
// writes after every transition. SQL knows the number that each set must have, so a set that lags
// or was lost is detected and replaced by a read from SQL. The first page of a scroll stores what
// it found as a snapshot for the next ones ([Snapshots]). If the snapshot is lost, SQL computes
// it again as of the scroll's number.
//
// Replays are pushed into replay inboxes by the fan-out of package fanout, and read by a
// [timeline.Timeline]. A replay stays one, so the number of its end says whether a scroll may
// show it. Hosts with pending pushes are pulled, so a page never lacks a replay.
package live
