package doctor_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/doctor"
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
		}, warm, fixture.Found{doctor.PendingEntry: 2, doctor.PendingInFeed: 2}},
		"a push was planned and is pending": {func(v fixture.Service) {
			v.Post(bob, 3)
			v.Must(v.Fanout.Dispatch(v.Context(), 3))
		}, warm, fixture.Found{doctor.PendingEntry: 1, doctor.PendingInFeed: 1}},
		"a pending push is by a muted author": {func(v fixture.Service) {
			v.Relate(feed.RelationMute, ann, bob)
			v.Reconcile(ann)
			v.Post(bob, 3)
		}, warm, fixture.Found{doctor.PendingEntry: 1}},
		"an author is absent": {func(v fixture.Service) { v.SetAbsent(bob, true) }, warm, nil},
		"an author was absent during a push": {func(v fixture.Service) {
			v.Post(bob, 3)
			v.SetAbsent(bob, true)
			v.WorkAll()
			v.SetAbsent(bob, false)
		}, warm, nil},
		"the viewer is absent": {func(v fixture.Service) { v.SetAbsent(ann, true) }, warm, nil},
		"a post is deleted":    {func(v fixture.Service) { v.Delete(bob, 2) }, warm, fixture.Found{doctor.DeletedEntry: 1}},
		"an author is unfollowed": {
			func(v fixture.Service) { v.Unfollow(ann, bob) }, behind, fixture.Found{doctor.UnfollowedEntry: 1},
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

func TestDoctor_FindsNothingInHealthyFeeds(t *testing.T) {
	for name, c := range healthyChanges() {
		t.Run(name, func(t *testing.T) {
			v := fixture.NewSelectivePushed(t)
			c.happen(v)
			r := v.Finds(v.Doctor(), c.found)
			if got := (states{r.Absent, r.Building, r.Warm, r.Cold, r.Behind}); got != c.state || r.WrongCount() != 0 || len(r.Wrong) != 0 {
				t.Errorf("the report is %+v, want %+v and nothing wrong", r, c.state)
			}
		})
	}
}

// A change between any two steps of the doctor causes no false finding.
func TestDoctor_ToleratesConcurrentChanges(t *testing.T) {
	for name, c := range healthyChanges() {
		for n, happened := 0, true; happened; n++ {
			v := fixture.NewSelectivePushed(t)
			was := v.At(n, func() { c.happen(v) })
			r := v.Examine(v.Doctor(), ann)
			happened = was()
			if r.WrongCount() != 0 {
				t.Errorf("%s before call %d, and the doctor found %v", name, n, r.Found)
			}
		}
	}
}

func TestDoctor_FindingNamesViewerAndPost(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	v.AmendInbox(ann, nil, v.Header(ann).Keys[:1])
	v.Post(bob, 3)
	r := v.Examine(v.Doctor(), bob, ann)
	fixture.Same(t, "what is wrong", r.Wrong, doctor.Finding{Viewer: ann, Post: 2, Kind: doctor.MissingEntry},
		doctor.Finding{Viewer: ann, Post: 2, Kind: doctor.MissingInFeed})
	fixture.Same(t, "what is explained", r.Explained, doctor.Finding{Viewer: ann, Post: 3, Kind: doctor.PendingEntry},
		doctor.Finding{Viewer: ann, Post: 3, Kind: doctor.PendingInFeed})
	if r.Viewers != 2 || r.Warm != 2 || r.Entries != 2 || r.Shown != 1+3 {
		t.Errorf("the report is %+v", r)
	}
}

// Reads by viewers renew leases and start builds. Those of the doctor must not.
func TestDoctor_ChangesNothing(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	v.Follow(ann, moon)
	v.EndLeases()
	v.LoseInbox(bob)
	v.Queue.Lose()
	before := v.Header(ann)
	v.Examine(v.Doctor(), ann, bob, star)
	fixture.Same(t, "what the doctor enqueued", v.Queue.Tasks())
	if after := v.Header(ann); after.Token != before.Token || after.Version != before.Version || after.WarmUntil != before.WarmUntil {
		t.Errorf("the inbox was %+v and is %+v", before, after)
	}
	dormant := fixture.Got(v.Backend.Activity.Dormant(t.Context(), []feed.UserID{ann, bob}, 0)).Must(t)
	fixture.Is(t, "the dormant viewers", len(dormant), 2)
}

// A post is published and pushed before every call, so every examination finds differences, but
// never the same ones.
func TestDoctor_ToleratesConstantChange(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	id := feed.PostID(100)
	v.BeforeCall = func() {
		id++
		v.Deliver([]feed.UserID{bob, star, ann}[id%3], id)
	}
	r := v.Examine(v.Doctor(), ann)
	v.BeforeCall = nil
	if r.WrongCount() != 0 || id < 110 {
		t.Errorf("after %d posts the doctor found %v", id-100, r.Found)
	}
}

func TestDoctor_IgnoresRepairedDamage(t *testing.T) {
	for examinations := 1; examinations <= 3; examinations++ {
		v := fixture.NewSelectivePushed(t)
		two := v.Header(ann).Keys[:1]
		v.AmendInbox(ann, nil, two)
		pauses, d := 0, v.Doctor()
		d.Pause = func(context.Context) error {
			if pauses++; pauses == examinations {
				v.AmendInbox(ann, two, nil)
			}
			return nil
		}
		r := v.Examine(d, ann)
		if repaired := examinations < 3; (r.WrongCount() == 0) != repaired || pauses != min(examinations, 2) {
			t.Errorf("repaired before examination %d: %d pauses, found %v", examinations+1, pauses, r.Found)
		}
	}
}

func TestDoctor_PausesOnlyForSuspects(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	v.Post(bob, 3)
	d := v.Doctor()
	d.Pause = func(context.Context) error { return errors.New("no time") }
	v.Examine(d, ann)
	v.AmendInbox(ann, nil, v.Header(ann).Keys[:1])
	if _, err := d.Examine(t.Context(), []feed.UserID{ann}); err == nil || err.Error() != "no time" {
		t.Errorf("the error is %v", err)
	}
}

// A failed examination is an error, not a finding.
func TestDoctor_FailsWithoutInboxes(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	v.Flaky.Down = true
	r, err := v.Doctor().Examine(t.Context(), []feed.UserID{ann})
	if feed.CodeOf(err) != feed.CodeUnavailable || r.Viewers != 0 {
		t.Errorf("the report is %+v, the error %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fixture.Got(v.Doctor().Examine(ctx, []feed.UserID{ann})).Fails(t, context.Canceled)
}

func TestDoctor_HonoursDepth(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	v.Deliver(bob, 3, 4)
	keys := v.Header(ann).Keys // 4, 3, 2, 1
	for depth, want := range map[int]fixture.Found{1: nil, 2: nil, 3: {doctor.ExtraInFeed: 1}, 4: {doctor.ExtraInFeed: 1}, 0: {doctor.ExtraInFeed: 1}} {
		d := v.Doctor()
		d.Reference, d.Depth = wrongReference{Reference: d.Reference, less: keys[2]}, depth
		r := v.Finds(d, want)
		fixture.Is(t, fmt.Sprintf("the entries compared to a depth of %d", depth), r.Shown, min(4, depth+4*(1-min(depth, 1))))
	}
	v.Post(bob, 5)
	d := v.Doctor()
	d.Depth = 2
	v.Finds(d, fixture.Found{doctor.PendingEntry: 1, doctor.PendingInFeed: 1})
}

func TestReport_NamesFirstHundred(t *testing.T) {
	v := fixture.NewFollowing(t)
	for id := range feed.PostID(70) {
		v.Post(star, id+1)
	}
	v.WorkAll()
	version := fixture.Got(v.Backend.Relations.ViewerVersion(t.Context(), ann)).Must(t)
	v.ForgeInbox(ann, version.Generation, feed.Build{Version: version.Version})
	var sum doctor.Report
	for range 2 {
		sum.Add(v.Finds(v.Doctor(), fixture.Found{doctor.MissingEntry: 70, doctor.MissingInFeed: 70}))
	}
	if sum.WrongCount() != 280 || len(sum.Wrong) != 100 || sum.Viewers != 2 || sum.Cold != 2 {
		t.Errorf("the report names %d of %d errors: %+v", len(sum.Wrong), sum.WrongCount(), sum)
	}
}

func TestDoctor_ExaminesConcurrently(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	// Unlike the fixture, the stores allow concurrent calls.
	b := v.Backend
	d := &doctor.Doctor{
		Home: &timeline.Timeline{
			Viewers: &timeline.Direct{Inboxes: b.Inboxes, Relations: b.Relations, Outboxes: b.Outboxes, Posts: b.Posts, Primary: b.Posts},
			Inboxes: b.Inboxes, Outboxes: b.Outboxes, Reference: b.Reference, Queue: feed.NoUpkeep{}, Policy: v.Policy,
		},
		Inboxes: b.Inboxes, Reference: b.Reference, Relations: b.Relations, Policy: v.Policy,
		Coverage: b.Coverage, Posts: b.Posts, Progress: b.Progress, AtOnce: 4,
	}
	v.AmendInbox(ann, nil, v.Header(ann).Keys)
	viewers := slices.Repeat([]feed.UserID{ann, bob, cem, star, moon}, 20)
	if r := v.Examine(d, viewers...); r.Viewers != 100 || r.Absent != 40 || r.Found[doctor.MissingEntry] != 40 {
		t.Errorf("the report is %+v", r)
	}
}
