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

// Explanation says what a finding is, and why it may be so.
type Explanation struct {
	What, Why string
	// Wrong says that no normal activity of the system explains the finding.
	Wrong bool
}

// kinds lists all kinds with their explanations.
func kinds() []explained {
	const notInInbox, inInbox, notShown, shown = "not in the inbox", "in the inbox", "not in the home feed", "in the home feed"
	return []explained{
		{MissingEntry, Explanation{notInInbox, "its push is done, and the inbox claims to have it", true}},
		{PendingEntry, Explanation{notInInbox, "its push is pending", false}},
		{DeletedEntry, Explanation{inInbox, "it was deleted since; reads leave it out", false}},
		{UnfollowedEntry, Explanation{inInbox, "its author is not followed any more; reads leave it out", false}},
		{ForeignEntry, Explanation{inInbox, "its author was never followed; reads leave it out", true}},
		{UnknownEntry, Explanation{inInbox, "no such content is stored; reads leave it out", true}},
		{MisdatedEntry, Explanation{inInbox, "it stands under another time than its own", true}},
		{HeaderAhead, Explanation{"the header is ahead of the database", "the database is from a backup, and is not known to be", true}},
		{Unreadable, Explanation{"the inbox cannot be read", "something else has written to it", true}},
		{MissingInFeed, Explanation{notShown, "its push is done, and the reference query has it", true}},
		{PendingInFeed, Explanation{notShown, "its push is pending", false}},
		{ExtraInFeed, Explanation{shown, "the reference query does not have it", true}},
		{OutOfOrder, Explanation{shown, "it stands twice, or below an older one", true}},
	}
}

type explained struct {
	kind Kind
	Explanation
}

// Kinds returns all of them.
func Kinds() []Kind {
	var all []Kind
	for _, k := range kinds() {
		all = append(all, k.kind)
	}
	return all
}

// Explain explains a finding.
func (k Kind) Explain() Explanation {
	for _, e := range kinds() {
		if e.kind == k {
			return e.Explanation
		}
	}
	return Explanation{What: string(k), Wrong: true}
}

// Finding is something that a [Doctor] found with a viewer.
type Finding struct {
	Viewer feed.UserID
	// Content is 0 when it is about the inbox as a whole, and the name of a replay when it
	// is about one.
	Content feed.PostID
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

func (e *exam) find(kind Kind, content feed.PostID) {
	e.findings = append(e.findings, Finding{Viewer: e.viewer, Content: e.ref(content), Kind: kind})
}

// ref returns the id under which a post or a session is fanned out.
func (e *exam) ref(content feed.PostID) feed.PostID {
	if e.replays {
		return feed.ReplayRef(int64(content))
	}
	return content
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
