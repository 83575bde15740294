package fanout

import "github.com/tideline-feeds/tideline/feed"

// Target is one kind of entry that is fanned out: posts, or replays of live sessions. Both share
// plans, slices and queues, under ids that never collide.
type Target struct {
	// Posts must not read from a cache. For replays it takes session ids.
	Posts   feed.Posts
	Inboxes feed.Inboxes
}

// target returns the target of a fanned out id, and the id there.
func (f *Fanout) target(ref feed.PostID) (Target, feed.PostID) {
	if session, ok := ref.Session(); ok {
		return f.Replays, feed.PostID(session)
	}
	return Target{Posts: f.Posts, Inboxes: f.Inboxes}, ref
}
