package doctor

import (
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// Kind names what a [Doctor] may find, in a word that stays the same from
// version to version.
type Kind string

// The findings. [Kind.Explain] says what each means.
const (
	MissingEntry    Kind = "missing-entry"
	PendingEntry    Kind = "pending-entry"
	DeletedEntry    Kind = "deleted-entry"
	UnfollowedEntry Kind = "unfollowed-entry"
	ForeignEntry    Kind = "foreign-entry"
	UnknownEntry    Kind = "unknown-entry"
	MisdatedEntry   Kind = "misdated-entry"
	HeaderAhead     Kind = "header-ahead"
	Unreadable      Kind = "unreadable"
	MissingInFeed   Kind = "missing-in-feed"
	PendingInFeed   Kind = "pending-in-feed"
	ExtraInFeed     Kind = "extra-in-feed"
	OutOfOrder      Kind = "out-of-order"
)

// Kinds returns all of them.
func Kinds() []Kind {
	return []Kind{
		MissingEntry, PendingEntry, DeletedEntry, UnfollowedEntry, ForeignEntry,
		UnknownEntry, MisdatedEntry, HeaderAhead, Unreadable,
		MissingInFeed, PendingInFeed, ExtraInFeed, OutOfOrder,
	}
}

// Explanation says what a finding is, and why it may be so.
type Explanation struct {
	What, Why string
	// Wrong: nothing that goes on in a system that is well explains it.
	Wrong bool
}

// Explain explains a finding.
func (k Kind) Explain() Explanation {
	const notInInbox, inInbox, notShown = "not in the inbox", "in the inbox", "not in the home feed"
	switch k {
	case MissingEntry:
		return Explanation{notInInbox, "its push is done, and the inbox claims to have it", true}
	case PendingEntry:
		return Explanation{notInInbox, "its push is pending", false}
	case DeletedEntry:
		return Explanation{inInbox, "it was deleted since; reads leave it out", false}
	case UnfollowedEntry:
		return Explanation{inInbox, "its author is not followed any more; reads leave it out", false}
	case ForeignEntry:
		return Explanation{inInbox, "its author was never followed; reads leave it out", true}
	case UnknownEntry:
		return Explanation{inInbox, "no such content is stored; reads leave it out", true}
	case MisdatedEntry:
		return Explanation{inInbox, "it stands under another time than its own", true}
	case HeaderAhead:
		return Explanation{"the header is ahead of the database", "the database is from a backup, and is not known to be", true}
	case Unreadable:
		return Explanation{"the inbox cannot be read", "something else has written to it", true}
	case MissingInFeed:
		return Explanation{notShown, "its push is done, and the reference query has it", true}
	case PendingInFeed:
		return Explanation{notShown, "its push is pending", false}
	case ExtraInFeed:
		return Explanation{"in the home feed", "the reference query does not have it", true}
	case OutOfOrder:
		return Explanation{"in the home feed", "it stands twice, or below an older one", true}
	}
	return Explanation{What: string(k), Wrong: true}
}

// Finding is something that a [Doctor] found with a viewer.
type Finding struct {
	Viewer feed.UserID
	// Content is 0 when it is about the inbox as a whole, and the name of a replay when it
	// is about one.
	Content feed.ContentID
	Kind    Kind
}

// findingsMax is how many findings a report names, of those that are wrong and of the
// others: whoever wants more of them wants all inboxes rebuilt.
const findingsMax = 100

// Report is what a [Doctor] found.
type Report struct {
	// Viewers were examined. Each is in one of the next five: without an inbox, or with
	// one that reads do not use; with one that is being built, or is warm, or cold; or
	// with one that cannot be read.
	Viewers                                  int
	Absent, Building, Warm, Cold, Unreadable int
	// Behind counts the warm and cold inboxes whose viewer has changed relations since:
	// until they are reconciled, reads pull whom that concerns.
	Behind int
	// Entries are in the inboxes, Shown in the home feeds.
	Entries, Shown int
	// Found counts findings of every kind there was.
	Found map[Kind]int
	// Wrong and Explained name the first hundred findings that are, and are not, wrong.
	Wrong, Explained []Finding
}

// WrongCount counts the findings that are wrong.
func (r *Report) WrongCount() int {
	n := 0
	for kind, count := range r.Found {
		if kind.Explain().Wrong {
			n += count
		}
	}
	return n
}

// Add adds what another report says.
func (r *Report) Add(other Report) {
	r.Viewers += other.Viewers
	r.Absent += other.Absent
	r.Building += other.Building
	r.Warm += other.Warm
	r.Cold += other.Cold
	r.Unreadable += other.Unreadable
	r.Behind += other.Behind
	r.Entries += other.Entries
	r.Shown += other.Shown
	for kind, n := range other.Found {
		r.count(kind, n)
	}
	r.Wrong = firstOf(r.Wrong, other.Wrong)
	r.Explained = firstOf(r.Explained, other.Explained)
}

func (r *Report) count(kind Kind, n int) {
	if r.Found == nil {
		r.Found = map[Kind]int{}
	}
	r.Found[kind] += n
}

func firstOf(a, b []Finding) []Finding {
	return append(a, b[:min(len(b), findingsMax-len(a))]...)
}

// note adds what was found with one viewer.
func (r *Report) note(e *exam) {
	r.Viewers++
	r.Entries += e.inbox.Count
	r.Shown += e.shown
	*r.state(e)++
	if e.inbox.Usable(e.stamp) && e.inbox.Version < e.stamp.Version {
		r.Behind++
	}
	for _, f := range e.findings {
		r.count(f.Kind, 1)
		if f.Kind.Explain().Wrong {
			r.Wrong = firstOf(r.Wrong, []Finding{f})
		} else {
			r.Explained = firstOf(r.Explained, []Finding{f})
		}
	}
}

// state returns the counter of the state that the viewer's inbox is in.
func (r *Report) state(e *exam) *int {
	switch {
	case e.unreadable:
		return &r.Unreadable
	case e.inbox.State == feed.InboxBuilding:
		return &r.Building
	case !e.inbox.Usable(e.stamp):
		return &r.Absent
	case e.inbox.Warm(e.stamp.Now):
		return &r.Warm
	}
	return &r.Cold
}

// exam is what one look at one viewer found.
type exam struct {
	viewer  feed.UserID
	replays bool
	// inbox is the whole inbox, and stamp what the source of truth said after it.
	inbox      feed.Inbox
	stamp      feed.ViewerVersion
	unreadable bool
	// shown counts the entries of the home feed.
	shown    int
	findings []Finding
}

func (e *exam) find(kind Kind, content feed.ContentID) {
	if e.replays {
		content = feed.ReplayRef(int64(content))
	}
	e.findings = append(e.findings, Finding{Viewer: e.viewer, Content: content, Kind: kind})
}

// suspect says whether something seems wrong.
func (e *exam) suspect() bool {
	return slices.ContainsFunc(e.findings, func(f Finding) bool { return f.Kind.Explain().Wrong })
}

// confirm keeps, of what seems wrong, what the look before this one found as well.
func (e *exam) confirm(before *exam) {
	found := make(map[Finding]bool, len(before.findings))
	for _, f := range before.findings {
		found[f] = true
	}
	e.findings = slices.DeleteFunc(e.findings, func(f Finding) bool { return f.Kind.Explain().Wrong && !found[f] })
}
