package examine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/examine"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// The users of the tests.
const (
	ann  = fixture.Ann
	bob  = fixture.Bob
	cem  = fixture.Cem
	star = fixture.Star
	moon = fixture.Moon
)

// states has the numbers of inboxes by state.
type states struct{ absent, building, warm, cold, behind int }

// healthy is a change of a healthy service, the state of ann's inbox after it, and what the doctor finds
// then. None of the findings is wrong.
type healthy struct {
	happen func(v fixture.Service)
	state  states
	found  fixture.Found
}

func healthyChanges() map[string]healthy {
	warm, behind := states{warm: 1}, states{warm: 1, behind: 1}
	return map[string]healthy{
		"nothing happens":   {func(fixture.Service) {}, warm, nil},
		"the inbox is lost": {func(v fixture.Service) { v.LoseInbox(ann) }, states{absent: 1}, nil},
		"the inbox is built again": {func(v fixture.Service) {
			v.LoseInbox(ann)
			v.BuildInbox(ann)
		}, warm, nil},
		"the inbox is being built": {func(v fixture.Service) {
			v.LoseInbox(ann)
			fixture.Got(v.Backend.Inboxes.BeginBuild(v.Context(), ann, feed.BuildHeader{Token: "new"}, 0)).Must(v)
			v.Deliver(bob, 3)
		}, states{building: 1}, nil},
		"the inbox is cold and lacks posts of a selective author": {func(v fixture.Service) {
			v.EndLeases()
			v.Deliver(star, 3)
		}, states{cold: 1}, nil},
		"relations have changed": {func(v fixture.Service) {
			v.Post(moon, 3)
			v.Follow(ann, moon)
			v.Relate(feed.RelationMute, ann, bob)
		}, behind, nil},
		"a newly followed author is muted": {func(v fixture.Service) {
			v.Post(moon, 3)
			v.Follow(ann, moon)
			v.Relate(feed.RelationMute, ann, moon)
		}, behind, nil},
		"the inbox is cold, and a selective author hides": {func(v fixture.Service) {
			v.EndLeases()
			v.Deliver(star, 3)
			v.Relate(feed.RelationHide, star, ann)
		}, states{cold: 1, behind: 1}, nil},
		"posts are pushed": {func(v fixture.Service) {
			v.Post(bob, 3)
			v.Deliver(star, 4)
		}, warm, nil},
		"pushes are pending": {func(v fixture.Service) {
			v.Post(bob, 3, 4)
			v.Queue.Lose()
		}, warm, fixture.Found{examine.PendingEntry: 2, examine.PendingInFeed: 2}},
		"a push was planned and is pending": {func(v fixture.Service) {
			v.Post(bob, 3)
			v.Must(v.Fanout.Dispatch(v.Context(), 3))
		}, warm, fixture.Found{examine.PendingEntry: 1, examine.PendingInFeed: 1}},
		"a pending push is by a muted author": {func(v fixture.Service) {
			v.Relate(feed.RelationMute, ann, bob)
			v.Reconcile(ann)
			v.Post(bob, 3)
		}, warm, fixture.Found{examine.PendingEntry: 1}},
		"an author is absent": {func(v fixture.Service) { v.SetAbsent(bob, true) }, warm, nil},
		"an author was absent during a push": {func(v fixture.Service) {
			v.Post(bob, 3)
			v.SetAbsent(bob, true)
			v.WorkAll()
			v.SetAbsent(bob, false)
		}, warm, nil},
		"the viewer is absent": {func(v fixture.Service) { v.SetAbsent(ann, true) }, warm, nil},
		"a post is deleted":    {func(v fixture.Service) { v.Delete(bob, 2) }, warm, fixture.Found{examine.DeletedEntry: 1}},
		"an author is unfollowed": {
			func(v fixture.Service) { v.Unfollow(ann, bob) }, behind, fixture.Found{examine.UnfollowedEntry: 1},
		},
		"an author is unfollowed and followed again": {func(v fixture.Service) {
			v.Unfollow(ann, bob)
			v.Deliver(bob, 3)
			v.Follow(ann, bob)
		}, behind, nil},
		"an author is pulled from now on": {func(v fixture.Service) {
			v.Flag(bob, feed.FlagUnpushed)
			v.Deliver(bob, 3)
		}, warm, nil},
		"the inbox overflows": {func(v fixture.Service) { v.Deliver(bob, 3, 4, 5, 6, 7, 8, 9) }, warm, nil},
		"the viewer writes":   {func(v fixture.Service) { v.Post(ann, 3) }, warm, nil},
		"the inbox has a post by its owner": {func(v fixture.Service) {
			v.PushKey(ann, v.Publish(ann, 3, publish.Draft{Text: "mine"}).Key())
		}, warm, nil},
		"an author is blocked": {func(v fixture.Service) {
			v.Relate(feed.RelationBlock, bob, ann)
			v.Reconcile(ann)
		}, warm, nil},
		"all inboxes become absent": {func(v fixture.Service) { v.ImportPost(3, bob) }, states{absent: 1}, nil},
	}
}

func TestExaminer_FindsNothingInHealthyFeeds(t *testing.T) {
	for name, c := range healthyChanges() {
		t.Run(name, func(t *testing.T) {
			v := fixture.NewSelectivePushed(t)
			c.happen(v)
			r := v.Finds(v.Examiner(), c.found)
			if got := (states{r.Users.Absent, r.Users.Building, r.Users.Warm, r.Users.Cold, r.Users.Behind}); got != c.state || r.Wrong() != 0 || len(r.Listed(false)) != 0 {
				t.Errorf("the report is %+v, want %+v and nothing wrong", r, c.state)
			}
		})
	}
}

// A change between any two steps of the doctor causes no false finding.
func TestExaminer_ToleratesConcurrentChanges(t *testing.T) {
	for name, c := range healthyChanges() {
		for n, happened := 0, true; happened; n++ {
			v := fixture.NewSelectivePushed(t)
			was := v.At(n, func() { c.happen(v) })
			r := v.Examine(v.Examiner(), ann)
			happened = was()
			if r.Wrong() != 0 {
				t.Errorf("%s before call %d, and the examiner found %v", name, n, r.Found())
			}
		}
	}
}

func TestExaminer_FindingNamesViewerAndPost(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	v.AmendInbox(ann, nil, v.Header(ann).Keys[:1])
	v.Post(bob, 3)
	r := v.Examine(v.Examiner(), bob, ann)
	finding := func(post feed.PostID, kind examine.Kind) examine.Finding {
		return examine.Finding{Viewer: ann, Post: post, Kind: kind, Meaning: kind.Meaning()}
	}
	fixture.Same(t, "what is wrong", r.Listed(false), finding(2, examine.MissingEntry), finding(2, examine.MissingInFeed))
	fixture.Same(t, "what is normal", r.Listed(true), finding(3, examine.PendingEntry), finding(3, examine.PendingInFeed))
	if r.Users.Examined != 2 || r.Users.Warm != 2 || r.Entries.InInboxes != 2 || r.Entries.InFeeds != 1+3 {
		t.Errorf("the report is %+v", r)
	}
}

// Reads by viewers renew leases and start builds. Those of the doctor must not.
func TestExaminer_ChangesNothing(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	v.Follow(ann, moon)
	v.EndLeases()
	v.LoseInbox(bob)
	v.Queue.Lose()
	before := v.Header(ann)
	v.Examine(v.Examiner(), ann, bob, star)
	fixture.Same(t, "what the doctor enqueued", v.Queue.Tasks())
	if after := v.Header(ann); after.Token != before.Token || after.Version != before.Version || after.WarmUntil != before.WarmUntil {
		t.Errorf("the inbox was %+v and is %+v", before, after)
	}
	dormant := fixture.Got(v.Backend.Activity.Dormant(t.Context(), []feed.UserID{ann, bob}, 0)).Must(t)
	fixture.Is(t, "the dormant viewers", len(dormant), 2)
}

// A post is published and pushed before every call, so every examination finds differences, but
// never the same ones.
func TestExaminer_ToleratesConstantChange(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	id := feed.PostID(100)
	v.BeforeCall = func() {
		id++
		v.Deliver([]feed.UserID{bob, star, ann}[id%3], id)
	}
	r := v.Examine(v.Examiner(), ann)
	v.BeforeCall = nil
	if r.Wrong() != 0 || id < 110 {
		t.Errorf("after %d posts the examiner found %v", id-100, r.Found())
	}
}

func TestExaminer_IgnoresRepairedDamage(t *testing.T) {
	for examinations := 1; examinations <= 3; examinations++ {
		v := fixture.NewSelectivePushed(t)
		two := v.Header(ann).Keys[:1]
		v.AmendInbox(ann, nil, two)
		pauses, x := 0, v.Examiner()
		x.Pause = func(context.Context) error {
			if pauses++; pauses == examinations {
				v.AmendInbox(ann, two, nil)
			}
			return nil
		}
		r := v.Examine(x, ann)
		if repaired := examinations < 3; (r.Wrong() == 0) != repaired || pauses != min(examinations, 2) {
			t.Errorf("repaired before examination %d: %d pauses, found %v", examinations+1, pauses, r.Found())
		}
	}
}

func TestExaminer_PausesOnlyForSuspects(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	v.Post(bob, 3)
	x := v.Examiner()
	x.Pause = func(context.Context) error { return errors.New("no time") }
	v.Examine(x, ann)
	v.AmendInbox(ann, nil, v.Header(ann).Keys[:1])
	if err := x.Examine(t.Context(), []feed.UserID{ann}, &examine.Tally{}, nil); err == nil || err.Error() != "no time" {
		t.Errorf("the error is %v", err)
	}
}

// A failed examination is an error, not a finding.
func TestExaminer_FailsWithoutInboxes(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	v.Flaky.Down = true
	var tally examine.Tally
	if err := v.Examiner().Examine(t.Context(), []feed.UserID{ann}, &tally, nil); feed.CodeOf(err) != feed.CodeUnavailable || tally.Users.Examined != 0 {
		t.Errorf("the tally is %+v, the error %v", tally, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := v.Examiner().Examine(ctx, []feed.UserID{ann}, &tally, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestExaminer_HonoursDepth(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	v.Deliver(bob, 3, 4)
	keys := v.Header(ann).Keys // 4, 3, 2, 1
	for depth, want := range map[int]fixture.Found{1: nil, 2: nil, 3: {examine.ExtraInFeed: 1}, 4: {examine.ExtraInFeed: 1}, 0: {examine.ExtraInFeed: 1}} {
		x := v.Examiner()
		x.Reference, x.Depth = wrongReference{Reference: x.Reference, less: keys[2]}, depth
		r := v.Finds(x, want)
		fixture.Is(t, fmt.Sprintf("the entries compared to a depth of %d", depth), r.Entries.InFeeds, min(4, depth+4*(1-min(depth, 1))))
	}
	v.Post(bob, 5)
	x := v.Examiner()
	x.Depth = 2
	v.Finds(x, fixture.Found{examine.PendingEntry: 1, examine.PendingInFeed: 1})
}

func TestReport_NamesFirstHundred(t *testing.T) {
	v := fixture.NewFollowing(t)
	for id := range feed.PostID(70) {
		v.Post(star, id+1)
	}
	v.WorkAll()
	version := fixture.Got(v.Backend.Relations.ViewerVersion(t.Context(), ann)).Must(t)
	v.ForgeInbox(ann, version.Generation, feed.Build{Version: version.Version})
	r := fixture.Examined{Report: examine.NewReport[examine.Finding](100, 100)}
	for range 2 {
		v.Must(v.Examiner().Examine(t.Context(), []feed.UserID{ann}, &r.Tally, r.Report))
	}
	if r.Found()[examine.MissingEntry] != 140 || r.Wrong() != 280 || len(r.Listed(false)) != 100 || r.LeftOut != 180 || r.Users.Examined != 2 || r.Users.Cold != 2 {
		t.Errorf("the report names %d of %d errors: %+v", len(r.Listed(false)), r.Wrong(), r)
	}
}

func TestExaminer_ExaminesConcurrently(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	// Unlike the fixture, the stores allow concurrent calls.
	b := v.Backend
	direct := &timeline.Direct{Inboxes: b.Inboxes, Relations: b.Relations, Outboxes: b.Outboxes, Posts: b.Posts, Primary: b.Posts}
	x := &examine.Examiner{
		Home: &timeline.Timeline{
			Viewers: direct, Inboxes: b.Inboxes, Outboxes: b.Outboxes, Reference: b.Reference, Queue: feed.NoUpkeep{}, Policy: v.Policy,
		},
		Viewers: direct, Posts: b.Posts, Reference: b.Reference, Coverage: b.Coverage, Progress: b.Progress,
		PageMax: v.Policy.PageMax, Walk: examine.Walk{AtOnce: 4},
	}
	v.AmendInbox(ann, nil, v.Header(ann).Keys)
	viewers := slices.Repeat([]feed.UserID{ann, bob, cem, star, moon}, 20)
	if r := v.Examine(x, viewers...); r.Users.Examined != 100 || r.Users.Absent != 40 || r.Found()[examine.MissingEntry] != 40 {
		t.Errorf("the report is %+v", r)
	}
}

func TestFinding_NamesIDsAsText(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	found := []examine.Finding{
		{Viewer: 1 << 60, Post: 7, Kind: examine.MissingEntry, Meaning: examine.MissingEntry.Meaning()},
		{Viewer: ann, Post: feed.ReplayRef(8), Kind: examine.DeletedEntry, Meaning: examine.DeletedEntry.Meaning()},
		{Viewer: ann, Kind: examine.Unreadable, Meaning: examine.Unreadable.Meaning()},
	}
	v.Must(v.Examiner().Describe(t.Context(), found, nil))
	for i, want := range [][2]string{
		{
			`{"user":"1152921504606846976","content":"7","kind":"missing-entry","what":"the inbox lacks a post",` +
				`"why":"its push is done, and the inbox covers its author","wrong":true,"reason":"not-stored"}`,
			"missing-entry\tuser 1152921504606846976\tpost 7: it is not stored",
		},
		{
			`{"user":"1","session":"8","kind":"deleted-entry","what":"the inbox has a deleted post","why":"reads leave it out","wrong":false}`,
			"deleted-entry\tuser 1\treplay of session 8",
		},
		{
			`{"user":"1","kind":"unreadable","what":"the inbox cannot be read","why":"another program has written to it","wrong":true}`,
			"unreadable\tuser 1\tthe inbox",
		},
	} {
		text, err := json.Marshal(found[i])
		v.Must(err)
		fixture.Is(t, "the finding as JSON", string(text), want[0])
		fixture.Is(t, "the finding in words", found[i].String(), want[1])
	}
}
