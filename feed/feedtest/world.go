package feedtest

import (
	"context"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tideline-feeds/tideline/feed"
)

// promise is one requirement on a backend. Its name is the name of the subtest.
type promise struct {
	name  string
	check func(w *world)
}

// custom are custom fields with numbers that a float64 cannot hold.
const custom = feed.CustomFields(`{"size":1.50,"id":12345678901234567890}`)

// testPromises runs every promise as a subtest on its own stores.
func testPromises(t *testing.T, open func(t *testing.T) Stores, promises []promise) {
	for _, p := range promises {
		t.Run(p.name, func(t *testing.T) {
			p.check(&world{t: t, ctx: t.Context(), Stores: open(t)})
		})
	}
}

// world is a backend and helpers for tests. Each helper does one thing and ends the test on an
// error.
type world struct {
	t   *testing.T
	ctx context.Context
	Stores
}

const (
	// noon is an arbitrary base time.
	noon int64 = 1_700_000_000_000
	// hour is one hour in milliseconds.
	hour int64 = 60 * 60 * 1000
	// many is a follow limit that no test reaches.
	many = 1000
)

// The numeric order of these users' ids differs from their order as text.
const (
	ann feed.UserID = 9
	bob feed.UserID = 10
	cem feed.UserID = 100
	dee feed.UserID = 2000
)

// all returns the range of a whole list, newest first.
func all() feed.Range { return feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: many} }

func (w *world) must(err error) {
	if err != nil {
		w.t.Helper()
		w.t.Fatal(err)
	}
}

// mustHaveCode ends the test unless err has the code.
func (w *world) mustHaveCode(code feed.Code, err error) {
	if feed.CodeOf(err) != code {
		w.t.Helper()
		w.t.Fatalf("got error %v, want code %q", err, code)
	}
}

// same reports a difference. Empty and nil lists are equal.
func (w *world) same(what string, got, want any) {
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		w.t.Helper()
		w.t.Errorf("%s: mismatch (-want +got):\n%s", what, diff)
	}
}

// diffSets describes the difference between two lists of users and ignores their order.
func diffSets(want, got []feed.UserID) string {
	return cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.SortSlices(func(a, b feed.UserID) bool { return a < b }))
}

// user creates users by newUser.
func (w *world) user(ids ...feed.UserID) {
	w.t.Helper()
	for _, id := range ids {
		_, err := w.Users.EnsureUser(w.ctx, newUser(id))
		w.must(err)
	}
}

// newUser returns a user. The handle is a letter and the id.
func newUser(id feed.UserID) *feed.User {
	return filled(&feed.User{
		ID:        id,
		External:  feed.ExternalID("user " + id.String()),
		Handle:    "u" + id.String(),
		Name:      "User " + id.String(),
		AvatarURL: "https://example.org/u" + id.String(),
		CreatedAt: noon,
	}, id.String())
}

// fourUsers creates ann, bob, cem and dee.
func (w *world) fourUsers() { w.t.Helper(); w.user(ann, bob, cem, dee) }

// eventAt makes a publish store an event that is due then, whatever the audience.
func eventAt(due int64) feed.FirstDispatch { return feed.FirstDispatch{EventDue: due} }

// publish stores p without an idempotency key and returns its key.
func (w *world) publish(p *feed.Post) feed.Key {
	w.t.Helper()
	_, err := w.PostWriter.Publish(w.ctx, p, feed.Idempotency{}, eventAt(noon))
	w.must(err)
	return p.Key()
}

func (w *world) post(id feed.PostID, author feed.UserID, at int64) feed.Key {
	w.t.Helper()
	return w.publish(newPost(id, author, at))
}

func (w *world) comment(id feed.PostID, author feed.UserID, at int64, on feed.PostID) feed.Key {
	w.t.Helper()
	p := newPost(id, author, at)
	p.Kind, p.ReplyTo = feed.KindComment, on
	return w.publish(p)
}

func (w *world) repost(id feed.PostID, author feed.UserID, at int64, of feed.PostID) feed.Key {
	w.t.Helper()
	p := newPost(id, author, at)
	p.Kind, p.RepostOf = feed.KindRepost, of
	return w.publish(p)
}

func newPost(id feed.PostID, author feed.UserID, at int64) *feed.Post {
	return filled(&feed.Post{
		ID:          id,
		External:    feed.ExternalID("post " + id.String()),
		Author:      author,
		Kind:        feed.KindPost,
		Text:        "text " + id.String(),
		Media:       []string{"https://example.org/p" + id.String()},
		PublishedAt: at,
	}, id.String())
}

func (w *world) delete(id feed.PostID) {
	w.t.Helper()
	w.must(w.PostWriter.Delete(w.ctx, id, noon+hour))
}

// follow makes follower follow each of the followees at noon.
func (w *world) follow(follower feed.UserID, followees ...feed.UserID) {
	w.t.Helper()
	for _, followee := range followees {
		w.must(w.Follows.Follow(w.ctx, follower, followee, noon, many))
	}
}

func (w *world) unfollow(follower, followee feed.UserID) {
	w.t.Helper()
	w.must(w.Follows.Unfollow(w.ctx, follower, followee))
}

func (w *world) raiseFlag(flag feed.CoverageFlag, authors ...feed.UserID) {
	w.t.Helper()
	for _, author := range authors {
		w.must(w.Audience.RaiseFlag(w.ctx, author, flag, feed.FlagThreshold))
	}
}

func (w *world) relate(kind feed.RelationKind, user, target feed.UserID, on bool) {
	w.t.Helper()
	w.must(w.SetRelation(w.ctx, feed.RelationRecord{Kind: kind, User: user, Target: target, CreatedAt: noon}, on))
}

// viewerVersion returns the viewer's version with time 0, so that versions are comparable.
func (w *world) viewerVersion(viewer feed.UserID) feed.ViewerVersion {
	w.t.Helper()
	s := w.timedViewerVersion(viewer)
	s.Now = 0
	return s
}

func (w *world) timedViewerVersion(viewer feed.UserID) feed.ViewerVersion {
	w.t.Helper()
	s, err := w.Relations.ViewerVersion(w.ctx, viewer)
	w.must(err)
	return s
}

// now returns the current time of the stores.
func (w *world) now() int64 {
	w.t.Helper()
	return w.timedViewerVersion(0).Now
}

func (w *world) relationsVersion(viewer feed.UserID) int64 {
	w.t.Helper()
	return w.viewerVersion(viewer).Version
}

// feedOf returns the viewer's feed.
func (w *world) feedOf(viewer feed.UserID) []feed.Key {
	w.t.Helper()
	keys, err := w.Reference.Feed(w.ctx, viewer, all())
	w.must(err)
	return keys
}

func (w *world) postCounters(id feed.PostID) feed.PostCounters {
	w.t.Helper()
	c, err := w.Counters.PostCounters(w.ctx, []feed.PostID{id})
	w.must(err)
	if len(c) != 1 {
		w.t.Fatalf("PostCounters returned %d results for one id", len(c))
	}
	return c[0]
}

func (w *world) userCounters(id feed.UserID) feed.UserCounters {
	w.t.Helper()
	c, err := w.Counters.UserCounters(w.ctx, []feed.UserID{id})
	w.must(err)
	if len(c) != 1 {
		w.t.Fatalf("UserCounters returned %d results for one id", len(c))
	}
	return c[0]
}

// endedContext returns a cancelled context.
func (w *world) endedContext() context.Context {
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	return ctx
}

// refusesEndedContext fails the test unless every call fails with a cancelled context.
func (w *world) refusesEndedContext(calls map[string]func(ctx context.Context) error) {
	w.t.Helper()
	for name, call := range calls {
		if call(w.endedContext()) == nil {
			w.t.Errorf("%s succeeded with an ended context, want an error", name)
		}
	}
}

// concurrently runs n concurrent calls and returns their errors by number.
func concurrently(n int, call func(i int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var calls sync.WaitGroup
	for i := range n {
		calls.Go(func() {
			<-start
			errs[i] = call(i)
		})
	}
	close(start)
	calls.Wait()
	return errs
}

// oneWins runs n concurrent calls. It checks that one succeeds and all others conflict.
func (w *world) oneWins(n int, call func(i int) error) {
	w.t.Helper()
	won := 0
	for _, err := range concurrently(n, call) {
		if err == nil {
			won++
		} else {
			w.mustHaveCode(feed.CodeConflict, err)
		}
	}
	w.same("the number of calls that succeed", won, 1)
}
