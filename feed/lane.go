package feed

// Lane is one kind of what is fanned out, with the inboxes it is pushed to: contents, or
// the replays of live sessions. Both go by the same plans, slices and queues, under names
// that never meet.
type Lane struct {
	// Posts must not answer from a cache. For replays it takes the ids of sessions.
	Posts   Posts
	Inboxes Inboxes
}

// ReplayRef returns the name under which the replay of a session is fanned out: the
// session's id with a minus. The ids of contents and of sessions are all above zero and
// know nothing of each other.
func ReplayRef(session int64) ContentID { return ContentID(-session) }

// Session returns the session whose replay is fanned out under the name id, and false
// when id names a content.
func (id ContentID) Session() (session int64, ok bool) {
	if id >= 0 {
		return 0, false
	}
	return -int64(id), true
}

// lane returns where what is fanned out under a name belongs, and its id there.
func (f *Fanout) lane(name ContentID) (Lane, ContentID) {
	if session, ok := name.Session(); ok {
		return f.Replays, ContentID(session)
	}
	return Lane{Posts: f.Posts, Inboxes: f.Inboxes}, name
}
