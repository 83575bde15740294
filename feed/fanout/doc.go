// Package fanout pushes published posts, and replays of live sessions, into the inboxes of
// followers. It plans each fan-out as slices of followers, pushes slice by slice, dispatches
// unfinished work again, and announces posts whose fan-out is done.
package fanout
