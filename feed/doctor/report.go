package doctor

import (
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/explain"
)

// Kind names a finding, by a word that is the same in all versions.
type Kind string

// The findings, which [Kind.Explain] explains.
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

// Explanation says what a finding is, why it occurs, and what to do about it.
type Explanation struct {
	What, Why string
	// Action is empty if the finding needs none.
	Action string
	// Wrong says that no normal activity of the system explains the finding.
	Wrong bool
}

func kinds() []explained {
	const (
		rebuild   = "rebuild the inbox"
		reportBug = "report a bug"
		leftOut   = "reads leave it out"
		pending   = "its push is pending"
	)
	wrong := func(kind Kind, what, why, action string) explained {
		return explained{kind, Explanation{what, why, action, true}}
	}
	normal := func(kind Kind, what, why string) explained {
		return explained{kind, Explanation{What: what, Why: why}}
	}
	return []explained{
		wrong(MissingEntry, "the inbox lacks a post", "its push is done, and the inbox covers its author", rebuild),
		normal(PendingEntry, "the inbox lacks a post", pending),
		normal(DeletedEntry, "the inbox has a deleted post", leftOut),
		normal(UnfollowedEntry, "the inbox has a post by an author the viewer has unfollowed", leftOut),
		wrong(ForeignEntry, "the inbox has a post by an author the viewer never followed", leftOut, rebuild+", and find the program that wrote the entry"),
		wrong(UnknownEntry, "the inbox has an entry without a stored post", leftOut, rebuild+", and check that it belongs to this database"),
		wrong(MisdatedEntry, "an entry of the inbox has a wrong time", "it differs from the time of its post", rebuild),
		wrong(HeaderAhead, "the inbox is newer than the database", "the database was restored from a backup", "rebuild all inboxes at once"),
		wrong(Unreadable, "the inbox cannot be read", "another program has written to it", rebuild),
		wrong(MissingInFeed, "the home feed lacks a post", "its push is done, and the reference query returns it", rebuild+" if it has a "+string(MissingEntry)+", otherwise "+reportBug),
		normal(PendingInFeed, "the home feed lacks a post", pending),
		wrong(ExtraInFeed, "the home feed has a post too many", "the reference query does not return it", reportBug),
		wrong(OutOfOrder, "the home feed has a post in the wrong place", "it appears twice or below an older post", reportBug),
	}
}

type explained struct {
	kind Kind
	Explanation
}

// Kinds returns all kinds.
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

// Finding is one finding about a viewer.
type Finding struct {
	Viewer feed.UserID
	// Post may be the [feed.ReplayRef] of a session. It is 0 if the finding is about the whole inbox.
	Post feed.PostID
	Kind Kind
	// Explained is set by [Report.Explain].
	Explained explain.Reason
}

// findingsMax limits the named findings of a report, wrong and others apart. More of them call
// for a rebuild of all inboxes.
const findingsMax = 100

// Report sums up an examination.
type Report struct {
	// Viewers counts the examined viewers, by the states of their inboxes: absent or unused by
	// reads, being built, warm, cold, or unreadable.
	Viewers                                  int
	Absent, Building, Warm, Cold, Unreadable int
	// Behind counts the warm and cold inboxes that lack a change of the viewer's relations. Reads
	// pull the authors concerned until the inbox is reconciled.
	Behind int
	// Entries counts the entries of the inboxes, Shown those of the home feeds.
	Entries, Shown int
	// Found counts the findings of each kind.
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

// Add adds another report.
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

// Explain explains the named findings about posts, which may have changed since.
func (r *Report) Explain(ctx context.Context, x *explain.Explainer) error {
	for _, findings := range [][]Finding{r.Wrong, r.Explained} {
		for i, f := range findings {
			if f.Post <= 0 {
				continue
			}
			e, err := x.Explain(ctx, f.Viewer, f.Post, feed.Filter{})
			if err != nil {
				return err
			}
			findings[i].Explained = e.Reason
		}
	}
	return nil
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

func (r *Report) add(e *exam) {
	r.Viewers++
	r.Entries += e.inbox.Count
	r.Shown += e.shown
	*r.state(e)++
	if e.inbox.Usable(e.current) && e.inbox.Version < e.current.Version {
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

// state returns the counter for the state of the viewer's inbox.
func (r *Report) state(e *exam) *int {
	switch {
	case e.unreadable:
		return &r.Unreadable
	case e.inbox.State == feed.InboxBuilding:
		return &r.Building
	case !e.inbox.Usable(e.current):
		return &r.Absent
	case e.inbox.Warm(e.current.Now):
		return &r.Warm
	}
	return &r.Cold
}

// exam is one examination of one viewer.
type exam struct {
	viewer  feed.UserID
	replays bool
	// inbox is the whole inbox, and current the viewer version read after it.
	inbox      feed.Inbox
	current    feed.ViewerVersion
	unreadable bool
	// shown counts the entries of the home feed.
	shown    int
	findings []Finding
}

func (e *exam) find(kind Kind, post feed.PostID) {
	e.findings = append(e.findings, Finding{Viewer: e.viewer, Post: e.ref(post), Kind: kind})
}

// ref returns the id under which a post or a session is fanned out.
func (e *exam) ref(post feed.PostID) feed.PostID {
	if e.replays {
		return feed.ReplayRef(int64(post))
	}
	return post
}

// suspect reports whether a finding seems wrong.
func (e *exam) suspect() bool {
	return slices.ContainsFunc(e.findings, func(f Finding) bool { return f.Kind.Explain().Wrong })
}

// confirm drops the wrong findings that the examination before did not make.
func (e *exam) confirm(before *exam) {
	found := make(map[Finding]bool, len(before.findings))
	for _, f := range before.findings {
		found[f] = true
	}
	e.findings = slices.DeleteFunc(e.findings, func(f Finding) bool { return f.Kind.Explain().Wrong && !found[f] })
}
