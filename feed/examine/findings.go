package examine

import (
	"maps"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// Kind names a finding, by a word that is the same in all versions.
type Kind string

// The kinds of findings in inboxes and home feeds, whose meaning is [Kind.Meaning].
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

// Meaning says what a finding is, why it occurs, and what to do about it.
type Meaning struct {
	What string `json:"what"`
	Why  string `json:"why"`
	// Action is empty if the finding needs none.
	Action string `json:"-"`
	// Wrong says that no normal activity of the system explains the finding.
	Wrong bool `json:"wrong"`
}

func meanings() map[Kind]Meaning {
	const (
		rebuild   = "rebuild the inbox"
		reportBug = "report a bug"
		leftOut   = "reads leave it out"
		pending   = "its push is pending"
	)
	return map[Kind]Meaning{
		MissingEntry:    {"the inbox lacks a post", "its push is done, and the inbox covers its author", rebuild, true},
		PendingEntry:    {What: "the inbox lacks a post", Why: pending},
		DeletedEntry:    {What: "the inbox has a deleted post", Why: leftOut},
		UnfollowedEntry: {What: "the inbox has a post by an author the viewer has unfollowed", Why: leftOut},
		ForeignEntry:    {"the inbox has a post by an author the viewer never followed", leftOut, rebuild + ", and find the program that wrote the entry", true},
		UnknownEntry:    {"the inbox has an entry without a stored post", leftOut, rebuild + ", and check that it belongs to this database", true},
		MisdatedEntry:   {"an entry of the inbox has a wrong time", "it differs from the time of its post", rebuild, true},
		HeaderAhead:     {"the inbox is newer than the database", "the database was restored from a backup", "rebuild all inboxes at once", true},
		Unreadable:      {"the inbox cannot be read", "another program has written to it", rebuild, true},
		MissingInFeed:   {"the home feed lacks a post", "its push is done, and the reference query returns it", rebuild + " if it has a " + string(MissingEntry) + ", otherwise " + reportBug, true},
		PendingInFeed:   {What: "the home feed lacks a post", Why: pending},
		ExtraInFeed:     {"the home feed has a post too many", "the reference query does not return it", reportBug, true},
		OutOfOrder:      {"the home feed has a post in the wrong place", "it appears twice or below an older post", reportBug, true},
	}
}

// Kinds returns all kinds of findings in inboxes and home feeds.
func Kinds() []Kind { return slices.Sorted(maps.Keys(meanings())) }

// Meaning says what findings of the kind mean.
func (k Kind) Meaning() Meaning { return meanings()[k] }

// Finding is one finding in a viewer's inbox or home feed.
type Finding struct {
	Viewer feed.UserID `json:"-"`
	// Post may be the [feed.ReplayRef] of a session. It is 0 if the finding is about the whole inbox.
	Post feed.PostID `json:"-"`
	// User, and Content or Session, are public ids, set by [Examiner.Describe].
	User    feed.PublicID `json:"user"`
	Content feed.PublicID `json:"content,omitzero"`
	Session feed.PublicID `json:"session,omitzero"`
	Kind    Kind          `json:"kind"`
	Meaning
	// Reason is why the home feed has the post, or lacks it. [Examiner.Describe] sets it.
	Reason Reason `json:"reason,omitempty"`
}

// Class implements [Line].
func (f Finding) Class() Class {
	words := f.What + ": " + f.Why
	if f.Action != "" {
		words += "; " + f.Action
	}
	return Class{Kind: f.Kind, Normal: !f.Wrong, Words: words}
}

// String implements [Line].
func (f Finding) String() string {
	about := "the inbox"
	switch _, isReplay := f.Post.Session(); {
	case isReplay:
		about = "replay of session " + f.Session.String()
	case f.Post != 0:
		about = "post " + f.Content.String()
	}
	if f.Reason != "" {
		about += ": " + f.Reason.Words()
	}
	return string(f.Kind) + "\tuser " + f.User.String() + "\t" + about
}

// Quoted returns a public id for people.
func Quoted(id string) string { return feed.PublicID{External: feed.ExternalID(id)}.String() }

// name sets the public ids.
func (f *Finding) name(ids feed.PublicIDs) {
	f.User = ids.User(f.Viewer)
	switch _, isReplay := f.Post.Session(); {
	case isReplay:
		f.Session = ids.Post(f.Post)
	case f.Post != 0:
		f.Content = ids.Post(f.Post)
	}
}

// Tally counts examined viewers and what was examined.
type Tally struct {
	Users UserTally `json:"users"`
	// Entries counts those of inboxes and of home feeds.
	Entries struct {
		InInboxes int `json:"inInboxes"`
		InFeeds   int `json:"inFeeds"`
	} `json:"entries"`
}

// UserTally counts viewers by the states of their inboxes.
type UserTally struct {
	Examined int `json:"examined"`
	// WithInbox is how many viewers have an inbox, examined or not; 0 if they were not counted.
	WithInbox int `json:"withInbox"`
	Warm      int `json:"warm"`
	Cold      int `json:"cold"`
	Building  int `json:"building"`
	// Absent counts inboxes that reads do not use, too.
	Absent     int `json:"absent"`
	Unreadable int `json:"unreadable"`
	// Behind counts the warm and cold inboxes that lack a change of the viewer's relations. Reads
	// pull the authors concerned until the inbox is reconciled.
	Behind int `json:"behind"`
}

func (t *Tally) add(e *exam) {
	t.Users.Examined++
	t.Entries.InInboxes += e.inbox.Count
	t.Entries.InFeeds += e.shown
	*t.Users.state(e)++
	if e.inbox.Usable(e.current) && e.inbox.Version < e.current.Version {
		t.Users.Behind++
	}
}

// state returns the counter for the state of the viewer's inbox.
func (t *UserTally) state(e *exam) *int {
	switch {
	case e.unreadable:
		return &t.Unreadable
	case e.inbox.State == feed.InboxBuilding:
		return &t.Building
	case !e.inbox.Usable(e.current):
		return &t.Absent
	case e.inbox.Warm(e.current.Now):
		return &t.Warm
	}
	return &t.Cold
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

// Suspicious implements [Exam].
func (e *exam) Suspicious() bool {
	return slices.ContainsFunc(e.findings, func(f Finding) bool { return f.Wrong })
}

func (e *exam) find(kind Kind, post feed.PostID) {
	e.findings = append(e.findings, Finding{Viewer: e.viewer, Post: e.ref(post), Kind: kind, Meaning: kind.Meaning()})
}

// ref returns the id under which a post or a session is fanned out.
func (e *exam) ref(post feed.PostID) feed.PostID {
	if e.replays {
		return feed.ReplayRef(int64(post))
	}
	return post
}
