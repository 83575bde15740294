package feed_test

import (
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// builds notes with how many entries each inbox was made ready.
func (v town) builds() *[]int {
	var n []int
	v.Builder.Trace.InboxBuilt = func(_ feed.UserID, entries int) { n = append(n, entries) }
	return &n
}

func TestAnInboxIsBuiltOfTheNewestThatFitAndItsFloorIsTheNextKey(t *testing.T) {
	for n, want := range map[int]struct {
		entries []feed.ContentID
		floor   int64
	}{
		0: {nil, 0},
		4: {[]feed.ContentID{4, 3, 2, 1}, 0},
		5: {[]feed.ContentID{5, 4, 3, 2, 1}, 0},
		6: {[]feed.ContentID{6, 5, 4, 3, 2}, 1},
		9: {[]feed.ContentID{9, 8, 7, 6, 5}, 4},
	} {
		v := newTown(t)
		v.follow(ann, star)
		for id := range n {
			v.post(star, feed.ContentID(id+1))
		}
		built := v.builds()
		v.inbox(ann)
		same(t, "the inbox", v.entries(ann), want.entries...)
		same(t, "the builds", *built, len(want.entries))
		if in := v.header(ann); in.Floor.ID != want.floor || in.State != feed.InboxReady {
			t.Errorf("of %d contents: the inbox is %+v, want floor %d", n, in, want.floor)
		}
	}
}

func TestAnInboxHoldsNeitherOnesOwnNorPulledAuthorsContents(t *testing.T) {
	v := newTown(t)
	v.follow(ann, star, moon)
	v.post(ann, 1)
	v.post(moon, 2)
	v.post(star, 3)
	v.must(v.Audience.Mark(t.Context(), moon, feed.MarkUnpushed))
	v.inbox(ann)
	same(t, "the inbox", v.entries(ann), 3)
	same(t, "the feed", v.home(ann), 3, 2, 1)
}

func TestAnInboxThatIsUpToDateIsNotBuiltAgain(t *testing.T) {
	v := newTown(t)
	built := v.builds()
	v.inbox(ann)
	token := v.header(ann).Token
	v.inbox(ann)
	if in := v.header(ann); in.Token != token || len(*built) != 1 {
		t.Errorf("it was built %d times", len(*built))
	}
	v.follow(ann, star)
	v.inbox(ann)
	if in := v.header(ann); in.Token != token || len(*built) != 1 {
		t.Error("new relations, which are reconciled, had it built again")
	}
}

func TestASecondBuildLeavesTheFirstAlone(t *testing.T) {
	v := newTown(t)
	v.follow(ann, star)
	built := v.builds()
	// Calls 0 to 4: inbox, stamp, lease, mark, outboxes.
	happened := v.At(4, func() {
		v.inbox(ann)
		if in := v.header(ann); in.State != feed.InboxBuilding || len(*built) != 0 {
			t.Errorf("the second build did something: %+v", in)
		}
	})
	v.inbox(ann)
	if !happened() || len(*built) != 1 || v.header(ann).State != feed.InboxReady {
		t.Errorf("%d builds came to an end, want 1", len(*built))
	}
}

// A builder that died left a mark. When it is too old to be alive another build
// takes its place; should it have been alive after all, it ends in nothing.
func TestAStaleBuildIsReplacedAndEndsInNothing(t *testing.T) {
	v := newTown(t)
	v.follow(ann, star)
	v.post(star, 1)
	built := v.builds()
	happened := v.At(5, func() {
		v.Clock.Advance(v.Policy.BuildPatience)
		v.post(star, 2)
		v.inbox(ann)
		v.post(star, 3)
		v.work()
		same(t, "the new inbox", v.entries(ann), 3, 2, 1)
	})
	v.inbox(ann)
	if !happened() {
		t.Fatal("the build was over too soon")
	}
	// The other is the empty inbox of star, who is active because they publish.
	same(t, "the builds that came to an end", *built, 2, 0)
	same(t, "the inbox", v.entries(ann), 3, 2, 1)
}

func TestAMarkHoldsForItsPatience(t *testing.T) {
	v := newTown(t)
	_, err := v.Backend.Inboxes.BeginBuild(t.Context(), ann, feed.BuildMark{Token: "dead", StartedAt: v.Clock.Millis()}, 0)
	v.must(err)
	v.Clock.Advance(v.Policy.BuildPatience - 1e6)
	v.inbox(ann)
	if in := v.header(ann); in.Token != "dead" {
		t.Error("the mark was replaced before its time")
	}
	v.Clock.Advance(1e6)
	v.inbox(ann)
	if in := v.header(ann); in.State != feed.InboxReady {
		t.Errorf("the mark was not replaced: %+v", in)
	}
}

// Whatever is published, pushed, followed or marked during a build, before whichever
// of its steps, the inbox holds it or a read pulls it.
func TestNothingThatHappensDuringABuildIsMissedLater(t *testing.T) {
	for name, c := range map[string]struct {
		happen func(v town)
		want   []feed.ContentID
	}{
		"a content is published and pushed": {func(v town) {
			v.post(star, 2)
			v.work()
		}, []feed.ContentID{2, 1}},
		"somebody is followed": {func(v town) {
			v.post(moon, 3)
			v.follow(ann, moon)
			v.post(moon, 4)
			v.must(v.Fanout.Dispatch(v.Context(), 4))
		}, []feed.ContentID{4, 3, 1}},
		"an author is pulled from now on": {func(v town) {
			v.must(v.Audience.Mark(v.Context(), star, feed.MarkUnpushed))
			v.post(star, 5)
			v.work()
		}, []feed.ContentID{5, 1}},
		"an author is left and followed again": {func(v town) {
			_, err := v.Follower.Unfollow(v.Context(), ann, star)
			v.must(err)
			v.post(star, 6)
			v.work()
			v.follow(ann, star)
		}, []feed.ContentID{6, 1}},
		"everything is to be dropped": {func(v town) {
			r := feed.Record{Line: 1, Post: &feed.Post{ID: 7, Author: star, Kind: feed.KindPost, Text: "a", PublishedAt: v.Clock.Millis() + 1}}
			_, err := v.Import(v.Context(), []feed.Record{r})
			v.must(err)
		}, []feed.ContentID{7, 1}},
		"pushes trim the inbox": {func(v town) {
			v.post(star, 11, 12, 13, 14, 15, 16)
			v.work()
		}, []feed.ContentID{16, 15, 14, 13, 12, 11, 1}},
	} {
		for n := 0; ; n++ {
			v := newTown(t)
			v.follow(ann, star)
			v.post(star, 1)
			v.work()
			v.must(v.Backend.Inboxes.Remove(t.Context(), ann))
			happened := v.At(n, func() { c.happen(v) })
			v.inbox(ann)
			if !happened() {
				break
			}
			same(t, name+", at once", v.home(ann), c.want...)
			v.must(v.Rest(t.Context()))
			v.home(ann)
			v.must(v.Rest(t.Context()))
			same(t, name+", at rest", v.home(ann), c.want...)
			if v.LastSource(ann) == feed.SourceReference {
				t.Errorf("%s: the inbox is not used", name)
			}
		}
	}
}

func TestABuildThatCannotReachTheInboxesFails(t *testing.T) {
	for call := 1; call <= 3; call++ {
		v := newTown(t)
		built := v.builds()
		v.Flaky.FailAt = call
		if err := v.Builder.Build(t.Context(), ann); feed.CodeOf(err) != feed.CodeUnavailable {
			t.Errorf("call %d failed, and the build returned %v", call, err)
		}
		if len(*built) > 0 {
			t.Error("a build that failed was told of")
		}
		v.Clock.Advance(v.Policy.BuildPatience)
		v.inbox(ann)
		if !slices.Equal(*built, []int{0}) {
			t.Errorf("call %d failed, and the next build did not mend it", call)
		}
	}
}
