package feed

import "time"

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

// InboxFound is what the read of a home feed found in the place of the viewer's inbox.
type InboxFound string

// What may be found.
const (
	// FoundWarm and FoundCold: an inbox that may be used. A cold one does not cover
	// authors with [FlagSelective].
	FoundWarm InboxFound = "warm"
	FoundCold InboxFound = "cold"
	// FoundBuilding: one that is being built.
	FoundBuilding InboxFound = "building"
	// FoundAbsent: none, or one of another generation, or of a version that the source of
	// truth has not reached.
	FoundAbsent InboxFound = "absent"
	// FoundUnreachable: its store did not answer.
	FoundUnreachable InboxFound = "unreachable"
)

// Found classes an inbox that was read.
func (in *Inbox) Found(s ViewerVersion) InboxFound {
	switch {
	case in.State == InboxBuilding:
		return FoundBuilding
	case !in.Usable(s):
		return FoundAbsent
	case in.Warm(s.Now):
		return FoundWarm
	}
	return FoundCold
}

// Reading tells how a page of a home feed was made.
type Reading struct {
	Source Source
	// Found is what was found at the last try, when there were several.
	Found InboxFound
	// Pulled is how many authors, the viewer himself not counted, were read from their
	// outboxes because the inbox does not cover them.
	Pulled int
}

// Trace is told what the domain does: by metrics in production, and by tests that
// wait for something to happen. A nil function is not called; a set one is called
// from whatever goroutine does the work and must return at once.
type Trace struct {
	// PageRead: a home feed page was made, or a scan of one.
	PageRead func(viewer UserID, r Reading)
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
	Shed func(content PostID)
	// SlicePushed: a subtask is done, having served n followers in this run.
	SlicePushed func(ref SliceRef, n int)
	// FannedOut: so long after a content was published, its fan-out was done and the last
	// inbox served. It is told once for each content. What is published under an earlier
	// time counts from when it was accepted, as far as its id tells.
	FannedOut func(content PostID, lag time.Duration)
	// Swept: a sweep dispatched that many events and slices again.
	Swept func(events, slices int)
	// Announced: a content was announced to subscribers; err says why it could not be.
	Announced func(content PostID, err error)
	// SubscriptionsEnded: n subscriptions were ended because their listener missed
	// something, or one because its viewer did not take what was for him.
	SubscriptionsEnded func(n int, why error)
	// VersionRead: the version of a viewer was read from the source of truth for the viewer cache.
	VersionRead func()
	// SharedEntryRead: a viewer without a local entry was looked up in the shared viewer cache.
	SharedEntryRead func(found bool)
	// SharedPutFailed: an entry could not be put into the shared viewer cache.
	SharedPutFailed func(err error)
	// EnqueueFailed: a queue refused; the sweeper will try again.
	EnqueueFailed func(err error)
}

// ReportEnqueue calls EnqueueFailed with the error of a queue. Nil is none.
func (t Trace) ReportEnqueue(err error) {
	if err != nil && t.EnqueueFailed != nil {
		t.EnqueueFailed(err)
	}
}
