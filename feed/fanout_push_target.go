package feed

// PushTarget is one kind of entry that is fanned out, with the inboxes it is pushed to: posts,
// or replays of live sessions. Both use the same plans, slices and queues, under ids that never
// collide.
type PushTarget struct {
	// Posts must not answer from a cache. For replays it takes the ids of sessions.
	Posts   Posts
	Inboxes Inboxes
}

// target returns the target of a fanned out id, and the id there.
func (f *Fanout) target(ref ContentID) (PushTarget, ContentID) {
	if session, ok := ref.Session(); ok {
		return f.Replays, ContentID(session)
	}
	return PushTarget{Posts: f.Posts, Inboxes: f.Inboxes}, ref
}
