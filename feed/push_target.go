package feed

// PushTarget is one kind of entry that is fanned out, with the inboxes it is pushed to: posts,
// or replays of live sessions. Both use the same plans, slices and queues, under ids that never
// collide.
type PushTarget struct {
	// Posts must not answer from a cache. For replays it takes the ids of sessions.
	Posts   Posts
	Inboxes Inboxes
}

// ReplayRef returns the id under which the replay of a session is fanned out: the negated id of
// the session. Ids of posts and of sessions are above zero, and independent of each other.
func ReplayRef(session int64) ContentID { return ContentID(-session) }

// Session returns the session whose replay is fanned out under an id; false if it is a post's.
func (id ContentID) Session() (session int64, ok bool) {
	if id >= 0 {
		return 0, false
	}
	return -int64(id), true
}

// target returns the target of a fanned out id, and the id there.
func (f *Fanout) target(ref ContentID) (PushTarget, ContentID) {
	if session, ok := ref.Session(); ok {
		return f.Replays, ContentID(session)
	}
	return PushTarget{Posts: f.Posts, Inboxes: f.Inboxes}, ref
}
