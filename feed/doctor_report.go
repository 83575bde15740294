package feed

import "slices"

// FindingKind names what a [Doctor] may find, in a word that stays the same from
// version to version.
type FindingKind string

// The findings. [FindingKind.Explain] says what each means.
const (
	FindingMissingEntry    FindingKind = "missing-entry"
	FindingPendingEntry    FindingKind = "pending-entry"
	FindingDeletedEntry    FindingKind = "deleted-entry"
	FindingUnfollowedEntry FindingKind = "unfollowed-entry"
	FindingForeignEntry    FindingKind = "foreign-entry"
	FindingUnknownEntry    FindingKind = "unknown-entry"
	FindingMisdatedEntry   FindingKind = "misdated-entry"
	FindingHeaderAhead     FindingKind = "header-ahead"
	FindingUnreadable      FindingKind = "unreadable"
	FindingMissingInFeed   FindingKind = "missing-in-feed"
	FindingPendingInFeed   FindingKind = "pending-in-feed"
	FindingExtraInFeed     FindingKind = "extra-in-feed"
	FindingOutOfOrder      FindingKind = "out-of-order"
)

// FindingKinds returns all of them.
func FindingKinds() []FindingKind {
	return []FindingKind{
		FindingMissingEntry, FindingPendingEntry, FindingDeletedEntry, FindingUnfollowedEntry, FindingForeignEntry,
		FindingUnknownEntry, FindingMisdatedEntry, FindingHeaderAhead, FindingUnreadable,
		FindingMissingInFeed, FindingPendingInFeed, FindingExtraInFeed, FindingOutOfOrder,
	}
}

// Explanation says what a finding is, and why it may be so.
type Explanation struct {
	What, Why string
	// Wrong: nothing that goes on in a system that is well explains it.
	Wrong bool
}

// Explain explains a finding.
func (k FindingKind) Explain() Explanation {
	const notInInbox, inInbox, notShown = "not in the inbox", "in the inbox", "not in the home feed"
	switch k {
	case FindingMissingEntry:
		return Explanation{notInInbox, "its push is done, and the inbox claims to have it", true}
	case FindingPendingEntry:
		return Explanation{notInInbox, "its push is pending", false}
	case FindingDeletedEntry:
		return Explanation{inInbox, "it was deleted since; reads leave it out", false}
	case FindingUnfollowedEntry:
		return Explanation{inInbox, "its author is not followed any more; reads leave it out", false}
	case FindingForeignEntry:
		return Explanation{inInbox, "its author was never followed; reads leave it out", true}
	case FindingUnknownEntry:
		return Explanation{inInbox, "no such content is stored; reads leave it out", true}
	case FindingMisdatedEntry:
		return Explanation{inInbox, "it stands under another time than its own", true}
	case FindingHeaderAhead:
		return Explanation{"the header is ahead of the database", "the database is from a backup, and is not known to be", true}
	case FindingUnreadable:
		return Explanation{"the inbox cannot be read", "something else has written to it", true}
	case FindingMissingInFeed:
		return Explanation{notShown, "its push is done, and the reference query has it", true}
	case FindingPendingInFeed:
		return Explanation{notShown, "its push is pending", false}
	case FindingExtraInFeed:
		return Explanation{"in the home feed", "the reference query does not have it", true}
	case FindingOutOfOrder:
		return Explanation{"in the home feed", "it stands twice, or below an older one", true}
	}
	return Explanation{What: string(k), Wrong: true}
}

// Finding is something that a [Doctor] found with a viewer.
type Finding struct {
	Viewer UserID
	// Content is 0 when it is about the inbox as a whole, and the name of a replay when it
	// is about one.
	Content ContentID
	Kind    FindingKind
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
	Found map[FindingKind]int
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

func (r *Report) count(kind FindingKind, n int) {
	if r.Found == nil {
		r.Found = map[FindingKind]int{}
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
	case e.inbox.State == InboxBuilding:
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
	viewer  UserID
	replays bool
	// inbox is the whole inbox, and stamp what the source of truth said after it.
	inbox      Inbox
	stamp      ViewerVersion
	unreadable bool
	// shown counts the entries of the home feed.
	shown    int
	findings []Finding
}

func (e *exam) find(kind FindingKind, content ContentID) {
	if e.replays {
		content = ReplayRef(int64(content))
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
