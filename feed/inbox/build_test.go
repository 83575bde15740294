package inbox_test

import (
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/publish"
)

// The users of the tests.
const (
	ann  = fixture.Ann
	bob  = fixture.Bob
	cem  = fixture.Cem
	star = fixture.Star
	moon = fixture.Moon
)

// builds notes with how many entries each inbox was made ready.
func builds(v fixture.Service) *[]int {
	var n []int
	v.Builder.Trace.InboxBuilt = func(_ feed.UserID, entries int) { n = append(n, entries) }
	return &n
}

func TestBuild_KeepsNewestAndSetsFloor(t *testing.T) {
	for n, want := range map[int]struct {
		entries []feed.PostID
		floor   int64
	}{
		0: {nil, 0},
		4: {[]feed.PostID{4, 3, 2, 1}, 0},
		5: {[]feed.PostID{5, 4, 3, 2, 1}, 0},
		6: {[]feed.PostID{6, 5, 4, 3, 2}, 1},
		9: {[]feed.PostID{9, 8, 7, 6, 5}, 4},
	} {
		v := fixture.NewFollowing(t)
		for id := range n {
			v.Post(star, feed.PostID(id+1))
		}
		built := builds(v)
		v.BuildInbox(ann)
		fixture.Same(t, "the inbox", v.Entries(ann), want.entries...)
		fixture.Same(t, "the builds", *built, len(want.entries))
		if in := v.Header(ann); in.Floor.ID != want.floor || in.State != feed.InboxReady {
			t.Errorf("of %d posts: the inbox is %+v, want floor %d", n, in, want.floor)
		}
	}
}

func TestBuild_LeavesOutOwnAndPulledPosts(t *testing.T) {
	v := fixture.New(t)
	v.Follow(ann, star, moon)
	v.Post(ann, 1)
	v.Post(moon, 2)
	v.Post(star, 3)
	v.Flag(moon, feed.FlagUnpushed)
	v.BuildInbox(ann)
	fixture.Same(t, "the inbox", v.Entries(ann), 3)
	fixture.Same(t, "the feed", v.Home(ann), 3, 2, 1)
}

func TestBuild_SkipsCurrentInbox(t *testing.T) {
	v := fixture.New(t)
	built := builds(v)
	v.BuildInbox(ann)
	token := v.Header(ann).Token
	v.BuildInbox(ann)
	if in := v.Header(ann); in.Token != token || len(*built) != 1 {
		t.Errorf("it was built %d times", len(*built))
	}
	v.Cover(ann, star)
	if in := v.Header(ann); in.Token != token || len(*built) != 1 {
		t.Error("new relations, which are reconciled, had it built again")
	}
}

func TestBuild_SkipsWhileAnotherRuns(t *testing.T) {
	v := fixture.NewFollowing(t)
	built := builds(v)
	// Calls 0 to 4: inbox, version, lease, mark, outboxes.
	happened := v.At(4, func() {
		v.Clock.Advance(v.Policy.BuildPatience - time.Millisecond)
		v.BuildInbox(ann)
		if in := v.Header(ann); in.State != feed.InboxBuilding || len(*built) != 0 {
			t.Errorf("the second build did something: %+v", in)
		}
	})
	v.BuildInbox(ann)
	if !happened() || len(*built) != 1 || v.Header(ann).State != feed.InboxReady {
		t.Errorf("%d builds came to an end, want 1", len(*built))
	}
}

// A builder that died left a mark. When it is too old to be alive another build
// takes its place; should it have been alive after all, it ends in nothing.
func TestBuild_ReplacesStaleBuild(t *testing.T) {
	v := fixture.NewFollowing(t)
	v.Post(star, 1)
	built := builds(v)
	happened := v.At(5, func() {
		v.Clock.Advance(v.Policy.BuildPatience)
		v.Post(star, 2)
		v.BuildInbox(ann)
		v.Deliver(star, 3)
		fixture.Same(t, "the new inbox", v.Entries(ann), 3, 2, 1)
	})
	v.BuildInbox(ann)
	v.Happened(happened)
	// The other is the empty inbox of star, who is active because they publish.
	fixture.Same(t, "the builds that came to an end", *built, 2, 0)
	fixture.Same(t, "the inbox", v.Entries(ann), 3, 2, 1)
}

// Whatever is published, pushed, followed or marked during a build, before whichever
// of its steps, the inbox holds it or a read pulls it.
func TestBuild_MissesNoConcurrentChange(t *testing.T) {
	for name, c := range map[string]struct {
		happen func(v fixture.Service)
		want   []feed.PostID
	}{
		"a content is published and pushed": {func(v fixture.Service) { v.Deliver(star, 2) }, []feed.PostID{2, 1}},
		"a user is followed": {func(v fixture.Service) {
			v.Post(moon, 3)
			v.Follow(ann, moon)
			v.Post(moon, 4)
			v.Must(v.Fanout.Dispatch(v.Context(), 4))
		}, []feed.PostID{4, 3, 1}},
		"an author is pulled from now on": {func(v fixture.Service) {
			v.Flag(star, feed.FlagUnpushed)
			v.Deliver(star, 5)
		}, []feed.PostID{5, 1}},
		"an author is left and followed again": {func(v fixture.Service) {
			v.Unfollow(ann, star)
			v.Deliver(star, 6)
			v.Follow(ann, star)
		}, []feed.PostID{6, 1}},
		"everything is to be dropped": {func(v fixture.Service) {
			v.Clock.Advance(time.Millisecond)
			v.ImportPost(7, star)
		}, []feed.PostID{7, 1}},
		"pushes trim the inbox": {func(v fixture.Service) {
			v.Deliver(star, 11, 12, 13, 14, 15, 16)
		}, []feed.PostID{16, 15, 14, 13, 12, 11, 1}},
	} {
		for n := 0; ; n++ {
			v := fixture.NewFollowing(t)
			v.Deliver(star, 1)
			v.LoseInbox(ann)
			happened := v.At(n, func() { c.happen(v) })
			v.BuildInbox(ann)
			if !happened() {
				break
			}
			fixture.Same(t, name+", at once", v.Home(ann), c.want...)
			v.Must(v.Rest(t.Context()))
			v.Home(ann)
			v.Must(v.Rest(t.Context()))
			fixture.Same(t, name+", at rest", v.Home(ann), c.want...)
			if v.LastSource(ann) == feed.SourceReference {
				t.Errorf("%s: the inbox is not used", name)
			}
		}
	}
}

func rebuild(v fixture.Service, want inbox.Rebuilt, viewers ...feed.UserID) {
	v.Helper()
	got := fixture.Got(v.Rebuilder().Rebuild(v.Context(), viewers)).Must(v)
	fixture.Is(v, "what it did", got, want)
}

func dormant(v fixture.Service, viewers ...feed.UserID) int {
	v.Helper()
	dormant := fixture.Got(v.Backend.Activity.Dormant(v.Context(), viewers, 0)).Must(v)
	return len(dormant)
}

func TestRebuild_RepairsAnyDamage(t *testing.T) {
	for name, damage := range map[string]func(v fixture.Service){
		"nothing is":         func(fixture.Service) {},
		"an entry is gone":   func(v fixture.Service) { v.AmendInbox(ann, nil, v.Header(ann).Keys) },
		"an entry is added":  func(v fixture.Service) { v.PushKey(ann, v.Publish(moon, 3, publish.Draft{Text: "strange"}).Key()) },
		"it is forged":       func(v fixture.Service) { v.ForgeInbox(ann, v.Header(ann).Generation, feed.Build{Version: 1000}) },
		"there is none":      func(v fixture.Service) { v.LoseInbox(ann) },
		"a build was broken": func(v fixture.Service) { v.LoseInbox(ann); breakBuild(v, ann) },
	} {
		t.Run(name, func(t *testing.T) {
			v := fixture.NewSelectivePushed(t)
			damage(v)
			rebuild(v, inbox.Rebuilt{Built: 1}, ann)
			fixture.Same(t, "the inbox", v.Entries(ann), 2, 1)
			v.Finds(v.Examiner(), nil)
			fixture.Same(t, "the feed", v.Home(ann), 2, 1)
			v.ReadFrom(ann, feed.SourceInbox)
		})
	}
}

// broken leaves the mark of a build that has just died.
func breakBuild(v fixture.Service, viewer feed.UserID) {
	v.Helper()
	fixture.Got(v.Backend.Inboxes.BeginBuild(v.Context(), viewer, feed.BuildHeader{Token: "dead", StartedAt: v.Clock.Millis()}, 0)).Must(v)
}

// A rebuild must not count as activity of the viewer.
func TestRebuild_RenewsNoLease(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	v.Clock.Advance(v.Policy.ActiveFor - time.Hour)
	rebuild(v, inbox.Rebuilt{Built: 1}, ann)
	// An inbox whose lease is left alone cannot claim to be warm.
	fixture.Is(t, "the cold inboxes", v.Finds(v.Examiner(), nil).Users.Cold, 1)
	v.Deliver(star, 3)
	fixture.Same(t, "the inbox, while the lease lasts", v.Entries(ann), 3, 2, 1)
	fixture.Same(t, "the feed", v.Home(ann), 3, 2, 1)
	v.WorkAll()
	fixture.Is(t, "the warm inboxes after a visit", v.Finds(v.Examiner(), nil).Users.Warm, 1)
	rebuild(v, inbox.Rebuilt{Built: 1}, ann)
	fixture.Is(t, "the dormant of who has read", dormant(v, ann), 0)

	v.Clock.Advance(2 * time.Hour)
	fixture.Is(t, "the dormant of the others", dormant(v, bob), 1)
	rebuild(v, inbox.Rebuilt{Removed: 1}, bob)
	if dormant(v, bob) != 1 || v.Header(bob).State != feed.InboxAbsent {
		t.Error("a rebuild made a dormant viewer active")
	}
	fixture.Same(t, "his feed when he comes back", v.Home(bob), 3, 2, 1)
	v.WorkAll()
	fixture.Same(t, "his inbox", v.Entries(bob), 3, 1)
}

// Whatever happens between its steps, feeds are exact at rest.
func TestRebuild_ReadsStayExact(t *testing.T) {
	for name, happen := range map[string]func(v fixture.Service){
		"contents are published and pushed": func(v fixture.Service) { v.Post(bob, 3); v.Post(star, 4); v.WorkAll() },
		"the viewer reads":                  func(v fixture.Service) { v.Home(ann); v.WorkAll() },
		"a user is followed":                func(v fixture.Service) { v.Post(moon, 3); v.Follow(ann, moon); v.WorkAll() },
		"the lease ends":                    func(v fixture.Service) { v.EndLeases(); v.Post(star, 3); v.WorkAll() },
	} {
		for n, happened := 0, true; happened; n++ {
			v := fixture.NewSelectivePushed(t)
			was := v.At(n, func() { happen(v) })
			fixture.Got(v.Rebuilder().Rebuild(t.Context(), []feed.UserID{ann})).Must(v)
			happened = was()
			for range 2 {
				v.Must(v.Rest(t.Context()))
				if r := v.Examine(v.Examiner(), ann); len(r.Findings) != 0 {
					t.Errorf("%s before call %d, and the doctor found %v", name, n, r.Found())
				}
				v.Home(ann)
			}
		}
	}
}

func TestRebuilder_RebuildsAllInboxes(t *testing.T) {
	v := fixture.New(t)
	everybody := []feed.UserID{ann, bob, cem, star, moon}
	for _, viewer := range everybody {
		v.BuildInbox(viewer)
		v.ForgeInbox(viewer, 0, feed.Build{Version: 1000})
	}
	var told []inbox.Rebuilt
	// A rebuild makes four calls, so this is one of the second viewer's, whose inbox has
	// been dropped by then.
	v.Flaky.FailAt = 7
	done, err := v.Rebuilder().All(t.Context(), func(r inbox.Rebuilt) { told = append(told, r) })
	if feed.CodeOf(err) != feed.CodeUnavailable || done.Built != 1 {
		t.Errorf("with a failure on the way it did %+v, %v", done, err)
	}
	_, err = v.Rebuilder().All(t.Context(), func(r inbox.Rebuilt) { told = append(told, r) })
	v.Must(err)
	// The removed inbox is not met the second time; the others are met two at a time. The last walk
	// may meet none.
	fixture.Same(t, "what it told of", slices.Compact(told), inbox.Rebuilt{Built: 1}, inbox.Rebuilt{Built: 2}, inbox.Rebuilt{Built: 4})
	if r := v.Examine(v.Examiner(), everybody...); r.Wrong() != 0 || r.Users.Absent != 1 {
		t.Errorf("the report is %+v", r)
	}
}

func TestRebuilder_BuildsInboxesOfActiveUsers(t *testing.T) {
	v := fixture.New(t)
	v.Policy.UpkeepBatch = 2
	for _, viewer := range []feed.UserID{ann, bob, cem} {
		fixture.Got(v.Backend.Activity.Renew(t.Context(), viewer, time.Hour)).Must(v)
	}
	done := fixture.Got(v.Rebuilder().Active(t.Context(), nil)).Must(v)
	fixture.Same(t, "what it did", []inbox.Rebuilt{done}, inbox.Rebuilt{Built: 3})
	for viewer, want := range map[feed.UserID]feed.InboxState{ann: feed.InboxReady, cem: feed.InboxReady, star: feed.InboxAbsent} {
		fixture.Is(t, "the inbox of user "+viewer.String(), v.Header(viewer).State, want)
	}
	v.Clock.Advance(2 * time.Hour)
	fixture.Is(t, "the dormant users after their leases", dormant(v, ann, bob, cem), 3)
}
