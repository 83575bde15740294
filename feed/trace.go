package feed

import "time"

// Source says what served a page.
type Source string

const (
	// SourceInbox is the inbox, merged with outboxes that it does not cover.
	SourceInbox Source = "inbox"
	// SourceReference is the reference query.
	SourceReference Source = "reference"
	// SourceBoth is the inbox above its floor, the reference query below.
	SourceBoth Source = "both"
	// SourceOutboxes are the outboxes of special follows, or of the members of a list.
	SourceOutboxes Source = "outboxes"
)

// InboxFound says what a read of a home feed found as the viewer's inbox.
type InboxFound string

// What may be found. A cold inbox does not cover authors with [FlagSelective].
const (
	FoundWarm InboxFound = "warm"
	FoundCold InboxFound = "cold"
	// FoundBuilding: an inbox that is being built.
	FoundBuilding InboxFound = "building"
	// FoundAbsent: no inbox, one of another generation, or of a version that SQL has not reached.
	FoundAbsent InboxFound = "absent"
	// FoundUnreachable: the store of inboxes did not answer.
	FoundUnreachable InboxFound = "unreachable"
)

// Found classifies an inbox that was read.
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

// Reading describes how a page of a home feed was made.
type Reading struct {
	Source Source
	// Found is the finding of the last try, if there were several.
	Found InboxFound
	// Pulled is how many outboxes were read because the inbox does not cover them.
	Pulled int
}

// Trace has hooks, which may be nil. They run on the working goroutine and must return at once.
type Trace struct {
	PageRead     func(viewer UserID, r Reading)
	InboxBuilt   func(viewer UserID, n int)
	InboxRemoved func(viewer UserID)
	// InboxesRolledBack: a server restarted with data of the time to. n slices are pushed again.
	InboxesRolledBack func(server string, to int64, n int)
	InboxesDropped    func(server, why string)
	// Shed: a post is not pushed because too many slices wait. Its author is pulled from now on.
	Shed func(post PostID)
	// FlagLowered: an author's flag fell, and each follower's inbox reads their outbox again.
	FlagLowered func(author UserID, to CoverageFlag)
	// SlicePushed: a slice is done; this run served n followers.
	SlicePushed func(ref SliceRef, n int)
	// PushedFirst: n followers who are online got a post before its fan-out was planned, and the
	// subscriptions of told of them were notified, lag after [Post.AcceptedAt].
	PushedFirst func(post PostID, n, told int, lag time.Duration)
	// PushFirstFailed: some followers who are online get a post only with all others.
	PushFirstFailed func(post PostID, err error)
	// FannedOut: a fan-out is done, lag after [Post.AcceptedAt]. It is called once per post.
	FannedOut func(post PostID, lag time.Duration)
	Swept     func(events, slices int)
	Announced func(post PostID, err error)
	// SubscriptionsEnded: n subscriptions have ended because their changes are unknown.
	SubscriptionsEnded func(n int, why error)
	VersionRead        func()
	EnqueueFailed      func(err error)
	// Ingested: a batch of a source was applied.
	Ingested func(source string, done Ingested)
}

// ReportIngested calls Ingested.
func (t Trace) ReportIngested(source string, done Ingested) {
	if t.Ingested != nil {
		t.Ingested(source, done)
	}
}

// ReportEnqueue calls EnqueueFailed unless err is nil.
func (t Trace) ReportEnqueue(err error) {
	if err != nil && t.EnqueueFailed != nil {
		t.EnqueueFailed(err)
	}
}
