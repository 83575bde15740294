package feed

// Source says where a page was read from.
type Source string

// The sources of a page.
const (
	// SourceInbox: the inbox, merged with the outboxes it does not cover.
	SourceInbox Source = "inbox"
	// SourceReference: the reference query.
	SourceReference Source = "reference"
	// SourceBoth: above the floor the inbox, below it the reference query.
	SourceBoth Source = "both"
)

// Trace is told what the domain does: by metrics in production, and by tests that
// wait for something to happen. A nil function is not called; a set one is called
// from whatever goroutine does the work and must return at once.
type Trace struct {
	// PageRead: a home feed page was made, or a scan of one.
	PageRead func(viewer UserID, from Source)
	// InboxBuilt: an inbox was made ready with n entries.
	InboxBuilt func(viewer UserID, n int)
	// InboxRemoved: the inbox of a dormant viewer was removed.
	InboxRemoved func(viewer UserID)
	// InboxesRolledBack: a server came back with what it had at a time, in milliseconds
	// since the epoch, and n subtasks are to run again for it.
	InboxesRolledBack func(server string, to int64, n int)
	// InboxesDropped: every inbox was made absent because of a server.
	InboxesDropped func(server, why string)
	// Shed: a content is not pushed, and its author pulled from now on, because too
	// many subtasks are waiting.
	Shed func(content ContentID)
	// SlicePushed: a subtask is done, having served n followers in this run.
	SlicePushed func(ref SliceRef, n int)
	// EnqueueFailed: a queue refused; the sweeper will try again.
	EnqueueFailed func(err error)
}

func (t Trace) pageRead(viewer UserID, from Source) {
	if t.PageRead != nil {
		t.PageRead(viewer, from)
	}
}

func (t Trace) inboxBuilt(viewer UserID, n int) {
	if t.InboxBuilt != nil {
		t.InboxBuilt(viewer, n)
	}
}

func (t Trace) inboxRemoved(viewer UserID) {
	if t.InboxRemoved != nil {
		t.InboxRemoved(viewer)
	}
}

func (t Trace) inboxesRolledBack(server string, to int64, n int) {
	if t.InboxesRolledBack != nil {
		t.InboxesRolledBack(server, to, n)
	}
}

func (t Trace) inboxesDropped(server, why string) {
	if t.InboxesDropped != nil {
		t.InboxesDropped(server, why)
	}
}

func (t Trace) shed(content ContentID) {
	if t.Shed != nil {
		t.Shed(content)
	}
}

func (t Trace) slicePushed(ref SliceRef, n int) {
	if t.SlicePushed != nil {
		t.SlicePushed(ref, n)
	}
}

func (t Trace) enqueueFailed(err error) {
	if err != nil && t.EnqueueFailed != nil {
		t.EnqueueFailed(err)
	}
}
