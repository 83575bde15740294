package inbox_test

import (
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
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

func TestBuild_FailsWithoutInboxes(t *testing.T) {
	for call := 1; call <= 3; call++ {
		v := fixture.New(t)
		built := builds(v)
		v.Flaky.FailAt = call
		v.Refused(v.Builder.Build(t.Context(), ann), feed.CodeUnavailable)
		if len(*built) > 0 {
			t.Error("a failed build was reported")
		}
		v.Clock.Advance(v.Policy.BuildPatience)
		v.BuildInbox(ann)
		if !slices.Equal(*built, []int{0}) {
			t.Errorf("call %d failed, and the next build did not mend it", call)
		}
	}
}
