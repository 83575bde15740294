// Package fanout brings published posts, and replays of live sessions, into the inboxes of
// followers: it plans a fan-out in slices of followers, pushes slice by slice, sweeps up what is
// not done, and announces what is.
package fanout
