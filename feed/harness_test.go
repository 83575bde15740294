package feed_test

import (
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

// The people of the tests.
const (
	ann  feed.UserID = 1
	bob  feed.UserID = 2
	cem  feed.UserID = 3
	star feed.UserID = 4
	moon feed.UserID = 5
	// nobody is not signed in.
	nobody feed.UserID = 0
)

// town is a service in memory with the people of the tests. Its methods do one thing
// each and end the test when it fails.
type town struct {
	*testing.T
	*feedtest.Service
}

// newTown makes a town in push mode, whose numbers change may change.
func newTown(t *testing.T, change ...func(p *feed.Policy)) town {
	t.Helper()
	p := feedtest.SmallPolicy(feed.FanoutPush)
	for _, c := range change {
		c(&p)
	}
	clock, inboxes := feedtest.NewClock(), memstore.NewInboxes(p.InboxCap)
	store := memstore.New(clock.Now)
	b := feedtest.Backend{
		Stores: feedtest.StoresOf(store), Inboxes: inboxes, Clock: clock, Server: memstore.NewServer(inboxes), Changes: memstore.NewChangeLog(store),
	}
	v := town{t, feedtest.NewService(b, p)}
	for _, id := range []feed.UserID{ann, bob, cem, star, moon} {
		v.make(&feed.User{ID: id, Handle: "user" + id.String(), Name: "User " + id.String()})
	}
	return v
}

// newCachingTown is newTown whose viewers are cached.
func newCachingTown(t *testing.T, change ...func(p *feed.Policy)) town {
	t.Helper()
	v := newTown(t, change...)
	v.Timeline = v.Cached
	return v
}

// must fails the test on an error. Helpers that tests call a hundred thousand times mark
// themselves as such only when they fail: finding out who called costs more than they do.
func (v town) must(err error) {
	if err != nil {
		v.Helper()
		v.Fatal(err)
	}
}

// refused fails the test unless err carries the code and names the field.
func (v town) refused(err error, code feed.Code, field ...string) {
	v.Helper()
	if feed.CodeOf(err) != code {
		v.Errorf("the error is %v, not %s", err, code)
	} else if got := fieldOf(err); !slices.Equal(got, field) {
		v.Errorf("the error %v names the field %q, not %q", err, got, field)
	}
}

// fieldOf returns the input field that an error names.
func fieldOf(err error) []string {
	if e, ok := err.(*feed.Error); ok { //nolint:errorlint // a refusal is not wrapped
		return e.Field
	}
	return nil
}

func (v town) make(u *feed.User) {
	if _, err := v.Users.EnsureUser(v.Context(), u); err != nil {
		v.Helper()
		v.must(err)
	}
}

func (v town) follow(viewer feed.UserID, authors ...feed.UserID) {
	v.Helper()
	for _, a := range authors {
		_, err := v.Follower.Follow(v.Context(), viewer, a)
		v.must(err)
	}
}

func (v town) relate(kind feed.RelationKind, user, target feed.UserID) {
	v.Helper()
	v.must(v.SetRelation(v.Context(), feed.RelationRecord{Kind: kind, User: user, Target: target}, true))
}

// post publishes a content under each of the ids, one a millisecond.
func (v town) post(author feed.UserID, ids ...feed.ContentID) {
	v.Helper()
	for _, id := range ids {
		v.publish(author, id, feed.Draft{Text: "text"})
	}
}

func (v town) publish(author feed.UserID, id feed.ContentID, d feed.Draft) *feed.Post {
	v.Clock.Advance(1e6)
	v.IDs = []feed.ContentID{id}
	p, err := v.Publisher.Publish(v.Context(), author, d)
	if err != nil {
		v.Helper()
		v.must(err)
	}
	return p
}

func (v town) delete(author feed.UserID, ids ...feed.ContentID) {
	v.Helper()
	for _, id := range ids {
		v.must(v.Publisher.Delete(v.Context(), author, id))
	}
}

// work runs every task there is.
func (v town) work() {
	v.Helper()
	v.must(v.Work(v.Context()))
}

// inbox builds the viewer's inbox.
func (v town) inbox(viewer feed.UserID) {
	v.Helper()
	v.must(v.Builder.Build(v.Context(), viewer))
}

// header returns the viewer's inbox with its newest entries.
func (v town) header(viewer feed.UserID) feed.Inbox {
	in, err := v.Backend.Inboxes.Read(v.Context(), viewer, feed.Range{Below: feed.Top, Limit: 100})
	if err != nil {
		v.Helper()
		v.must(err)
	}
	return in
}

// entries returns the ids in the viewer's inbox, newest first.
func (v town) entries(viewer feed.UserID) []feed.ContentID {
	v.Helper()
	var ids []feed.ContentID
	for _, k := range v.header(viewer).Keys {
		ids = append(ids, feed.ContentID(k.ID))
	}
	return ids
}

// page reads a page of n of the viewer's home feed.
func (v town) page(viewer feed.UserID, n int, after string) *feed.Page {
	p, err := v.Timeline.Page(v.Context(), viewer, feed.HomeRef(), feed.PageQuery{First: &n, After: after})
	if err != nil {
		v.Helper()
		v.must(err)
	}
	return p
}

// home returns the ids of the viewer's home feed, newest first.
func (v town) home(viewer feed.UserID) []feed.ContentID {
	v.Helper()
	return idsOf(v.page(viewer, v.Policy.PageMax, ""))
}

func idsOf(p *feed.Page) []feed.ContentID {
	var ids []feed.ContentID
	for _, e := range p.Entries {
		ids = append(ids, e.Post.ID)
	}
	return ids
}

// same fails the test unless two lists are equal.
func same[T comparable](t testing.TB, what string, got []T, want ...T) {
	if !slices.Equal(got, want) {
		t.Helper()
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
