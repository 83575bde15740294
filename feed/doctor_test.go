package feed_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// found says how often what was found.
type found map[feed.FindingKind]int

// doctor is one before every call of whom the town may change.
func (v town) doctor() *feed.Doctor {
	direct := *v.Uncached.Viewers.(*timeline.Direct) //nolint:forcetypeassert // services make it so
	home := *v.Uncached
	home.Viewers, home.Queue, home.Trace = &direct, feed.NoUpkeep{}, feed.Trace{}
	return &feed.Doctor{
		Home: &home, Inboxes: home.Inboxes, Reference: home.Reference, Relations: direct.Relations, Policy: v.Policy,
		Coverage: v.Builder.Coverage, Posts: v.Builder.Posts, Progress: v.Progress,
	}
}

func (v town) examine(d *feed.Doctor, viewers ...feed.UserID) feed.Report {
	v.Helper()
	r, err := d.Examine(v.Context(), viewers)
	v.must(err)
	return r
}

// finds fails the test unless the doctor finds just this with ann.
func (v town) finds(d *feed.Doctor, want found) feed.Report {
	v.Helper()
	r := v.examine(d, ann)
	if !maps.Equal(found(r.Found), want) {
		v.Errorf("the doctor found %v, want %v", r.Found, want)
	}
	return r
}

func (v town) push(viewer feed.UserID, k feed.Key) {
	v.Helper()
	_, err := v.Backend.Inboxes.Push(v.Context(), []feed.UserID{viewer}, k)
	v.must(err)
}

func (v town) amend(viewer feed.UserID, add, remove []feed.Key) {
	v.Helper()
	in := v.header(viewer)
	done, err := v.Backend.Inboxes.Amend(v.Context(), viewer, feed.Amendment{
		Token: in.Token, Version: in.Version, NewVersion: in.Version, Add: add, Remove: remove,
	})
	v.must(err)
	if !done {
		v.Fatal("the inbox was not amended")
	}
}

// forge gives the viewer an inbox that nobody built.
func (v town) forge(viewer feed.UserID, generation int64, b feed.Build) {
	v.Helper()
	v.must(v.Backend.Inboxes.Remove(v.Context(), viewer))
	began, err := v.Backend.Inboxes.BeginBuild(v.Context(), viewer, feed.BuildMark{Token: "forged", Generation: generation}, 0)
	v.must(err)
	ready, err := v.Backend.Inboxes.FinishBuild(v.Context(), viewer, "forged", b)
	v.must(err)
	if !began || !ready {
		v.Fatal("the inbox was not forged")
	}
}

func (v town) importPost(id feed.ContentID, author feed.UserID) {
	v.Helper()
	p := &feed.Post{ID: id, Author: author, Kind: feed.KindPost, Text: "a", PublishedAt: v.Clock.Millis()}
	_, err := v.Import(v.Context(), []feed.Record{{Line: 1, Post: p}})
	v.must(err)
}

// newPractice is a town in hybrid mode in which ann has an inbox with 1 by star, whom
// she follows, and 2 by bob, whom she follows too. Star is selective.
func newPractice(t *testing.T) town {
	t.Helper()
	v := newSquare(t)
	v.follow(ann, bob)
	v.post(star, 1)
	v.post(bob, 2)
	v.work()
	return v
}

func TestADoctorFindsNothingWrongInATownThatIsWell(t *testing.T) {
	warm := feed.Report{Viewers: 1, Warm: 1}
	for name, c := range map[string]struct {
		happen func(v town)
		// state has the counts of states only.
		state feed.Report
		found found
	}{
		"nothing happens": {func(town) {}, warm, nil},
		"the inbox is lost": {
			func(v town) { v.must(v.Backend.Inboxes.Remove(v.Context(), ann)) },
			feed.Report{Viewers: 1, Absent: 1},
			nil,
		},
		"the inbox is being built": {func(v town) {
			_, err := v.Backend.Inboxes.BeginBuild(v.Context(), ann, feed.BuildMark{Token: "new"}, 0)
			v.must(err)
			v.post(bob, 3)
			v.work()
		}, feed.Report{Viewers: 1, Building: 1}, nil},
		"the inbox is cold, and star not pushed": {func(v town) {
			v.lapse()
			v.post(star, 3)
			v.work()
		}, feed.Report{Viewers: 1, Cold: 1}, nil},
		"relations have changed": {func(v town) {
			v.post(moon, 3)
			v.follow(ann, moon)
			v.relate(feed.RelationMute, ann, bob)
		}, feed.Report{Viewers: 1, Warm: 1, Behind: 1}, nil},
		"somebody is muted who was followed since": {func(v town) {
			v.post(moon, 3)
			v.follow(ann, moon)
			v.relate(feed.RelationMute, ann, moon)
		}, feed.Report{Viewers: 1, Warm: 1, Behind: 1}, nil},
		"the inbox is cold, and star not pushed and hiding": {func(v town) {
			v.lapse()
			v.post(star, 3)
			v.work()
			v.relate(feed.RelationHide, star, ann)
		}, feed.Report{Viewers: 1, Cold: 1, Behind: 1}, nil},
		"pushes are pending": {func(v town) {
			v.post(bob, 3, 4)
			v.Queue.Lose()
		}, warm, found{feed.FindingPendingEntry: 2, feed.FindingPendingInFeed: 2}},
		"a push was planned and is pending": {func(v town) {
			v.post(bob, 3)
			v.must(v.Fanout.Dispatch(v.Context(), 3))
		}, warm, found{feed.FindingPendingEntry: 1, feed.FindingPendingInFeed: 1}},
		"a pending push is by somebody muted": {func(v town) {
			v.relate(feed.RelationMute, ann, bob)
			v.reconcile(ann)
			v.post(bob, 3)
		}, warm, found{feed.FindingPendingEntry: 1}},
		"a content is deleted": {func(v town) { v.delete(bob, 2) }, warm, found{feed.FindingDeletedEntry: 1}},
		"somebody is left": {
			func(v town) { v.unfollow(ann, bob) },
			feed.Report{Viewers: 1, Warm: 1, Behind: 1},
			found{feed.FindingUnfollowedEntry: 1},
		},
		"an author is pulled from now on": {func(v town) {
			v.must(v.Audience.Mark(v.Context(), bob, feed.MarkUnpushed))
			v.post(bob, 3)
			v.work()
		}, warm, nil},
		"the inbox overflows": {func(v town) {
			v.post(bob, 3, 4, 5, 6, 7, 8, 9)
			v.work()
		}, warm, nil},
		"the viewer writes": {func(v town) { v.post(ann, 3) }, warm, nil},
		"the inbox holds something of its owner's": {func(v town) {
			v.push(ann, v.publish(ann, 3, feed.Draft{Text: "mine"}).Key())
		}, warm, nil},
		"somebody is blocked": {func(v town) {
			v.relate(feed.RelationBlock, bob, ann)
			v.reconcile(ann)
		}, warm, nil},
		"everything is to be dropped": {func(v town) { v.importPost(3, bob) }, feed.Report{Viewers: 1, Absent: 1}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			v := newPractice(t)
			c.happen(v)
			r := v.finds(v.doctor(), c.found)
			got := feed.Report{Viewers: r.Viewers, Absent: r.Absent, Building: r.Building, Warm: r.Warm, Cold: r.Cold, Behind: r.Behind}
			if !equalStates(got, c.state) || r.WrongCount() != 0 || len(r.Wrong) != 0 {
				t.Errorf("the report is %+v, want the states of %+v and nothing wrong", r, c.state)
			}
		})
	}
}

func equalStates(a, b feed.Report) bool {
	return [6]int{a.Viewers, a.Absent, a.Building, a.Warm, a.Cold, a.Behind} ==
		[6]int{b.Viewers, b.Absent, b.Building, b.Warm, b.Cold, b.Behind}
}

func TestAFindingNamesTheViewerAndTheContent(t *testing.T) {
	v := newPractice(t)
	v.amend(ann, nil, v.header(ann).Keys[:1])
	v.post(bob, 3)
	r := v.examine(v.doctor(), bob, ann)
	same(t, "what is wrong", r.Wrong, feed.Finding{Viewer: ann, Content: 2, Kind: feed.FindingMissingEntry},
		feed.Finding{Viewer: ann, Content: 2, Kind: feed.FindingMissingInFeed})
	same(t, "what is explained", r.Explained, feed.Finding{Viewer: ann, Content: 3, Kind: feed.FindingPendingEntry},
		feed.Finding{Viewer: ann, Content: 3, Kind: feed.FindingPendingInFeed})
	if r.Viewers != 2 || r.Warm != 2 || r.Entries != 2 || r.Shown != 1+3 {
		t.Errorf("the report is %+v", r)
	}
}

func TestEveryFindingIsExplained(t *testing.T) {
	for _, kind := range feed.FindingKinds() {
		if e := kind.Explain(); e.What == "" || e.What == string(kind) || e.Why == "" {
			t.Errorf("%s is explained by %+v", kind, e)
		}
	}
	if e := feed.FindingKind("unheard-of").Explain(); !e.Wrong || e.What != "unheard-of" {
		t.Errorf("what nobody knows is explained by %+v", e)
	}
}

// Reads of viewers renew leases and have inboxes built. A doctor is no viewer.
func TestADoctorChangesNothing(t *testing.T) {
	v := newPractice(t)
	v.follow(ann, moon)
	v.lapse()
	v.must(v.Backend.Inboxes.Remove(t.Context(), bob))
	v.Queue.Lose()
	before := v.header(ann)
	v.examine(v.doctor(), ann, bob, star)
	if v.Queue.Len() != 0 {
		t.Errorf("it asks for %v", v.Queue.Tasks())
	}
	if after := v.header(ann); after.Token != before.Token || after.Version != before.Version || after.WarmUntil != before.WarmUntil {
		t.Errorf("the inbox was %+v and is %+v", before, after)
	}
	dormant, err := v.Backend.Activity.Dormant(t.Context(), []feed.UserID{ann, bob}, 0)
	v.must(err)
	if len(dormant) != 2 {
		t.Errorf("of two who are away only %v still are", dormant)
	}
}

// Whatever happens, once, between any two steps of a doctor, nothing is wrong.
func TestADoctorIsNotMisledByWhatHappensMeanwhile(t *testing.T) {
	for name, happen := range map[string]func(v town){
		"contents are published and pushed": func(v town) {
			v.post(bob, 3)
			v.post(star, 4)
			v.work()
		},
		"so many that the inbox overflows": func(v town) {
			v.post(bob, 3, 4, 5, 6, 7, 8)
			v.work()
		},
		"a content is deleted": func(v town) { v.delete(bob, 2) },
		"somebody is followed": func(v town) {
			v.post(moon, 3)
			v.follow(ann, moon)
			v.work()
		},
		"somebody is left": func(v town) {
			v.unfollow(ann, bob)
			v.work()
		},
		"somebody is left and followed again": func(v town) {
			v.unfollow(ann, bob)
			v.post(bob, 3)
			v.work()
			v.follow(ann, bob)
		},
		"somebody is muted": func(v town) { v.relate(feed.RelationMute, ann, bob) },
		"the lease ends":    func(v town) { v.lapse(); v.post(star, 3); v.work() },
		"the inbox is built anew": func(v town) {
			v.must(v.Backend.Inboxes.Remove(v.Context(), ann))
			v.inbox(ann)
		},
		"everything is dropped": func(v town) { v.importPost(3, bob) },
		"an author is pulled from now on": func(v town) {
			v.must(v.Audience.Mark(v.Context(), bob, feed.MarkUnpushed))
			v.post(bob, 3)
			v.work()
		},
	} {
		for n, happened := 0, true; happened; n++ {
			v := newPractice(t)
			was := v.At(n, func() { happen(v) })
			r := v.examine(v.doctor(), ann)
			happened = was()
			if r.WrongCount() != 0 {
				t.Errorf("%s before call %d, and the doctor found %v", name, n, r.Found)
			}
		}
	}
}

// Before every single call something new is published and pushed, so every look finds
// differences; but each finds others.
func TestADoctorIsNotMisledByATownThatNeverRests(t *testing.T) {
	v := newPractice(t)
	id := feed.ContentID(100)
	v.Meanwhile = func() {
		id++
		v.post([]feed.UserID{bob, star, ann}[id%3], id)
		v.work()
	}
	r := v.examine(v.doctor(), ann)
	v.Meanwhile = nil
	if r.WrongCount() != 0 || id < 110 {
		t.Errorf("after %d contents the doctor found %v", id-100, r.Found)
	}
}

func TestWhatIsMendedBeforeTheLastLookIsNotWrong(t *testing.T) {
	for looks := 1; looks <= 3; looks++ {
		v := newPractice(t)
		two := v.header(ann).Keys[:1]
		v.amend(ann, nil, two)
		pauses, d := 0, v.doctor()
		d.Pause = func(context.Context) error {
			if pauses++; pauses == looks {
				v.amend(ann, two, nil) //nolint:contextcheck // a town has the test's
			}
			return nil
		}
		r := v.examine(d, ann)
		if mended := looks < 3; (r.WrongCount() == 0) != mended || pauses != min(looks, 2) {
			t.Errorf("mended before look %d: %d pauses, found %v", looks+1, pauses, r.Found)
		}
	}
}

func TestADoctorPausesForSuspectsOnly(t *testing.T) {
	v := newPractice(t)
	v.post(bob, 3)
	d := v.doctor()
	d.Pause = func(context.Context) error { return errors.New("no time") }
	v.examine(d, ann)
	v.amend(ann, nil, v.header(ann).Keys[:1])
	if _, err := d.Examine(t.Context(), []feed.UserID{ann}); err == nil || err.Error() != "no time" {
		t.Errorf("the error is %v", err)
	}
}

// An examination that cannot be made is no finding.
func TestADoctorWhoCannotReachTheInboxesSaysSo(t *testing.T) {
	v := newPractice(t)
	v.Flaky.Down = true
	r, err := v.doctor().Examine(t.Context(), []feed.UserID{ann})
	if feed.CodeOf(err) != feed.CodeUnavailable || r.Viewers != 0 {
		t.Errorf("the report is %+v, the error %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := v.doctor().Examine(ctx, []feed.UserID{ann}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error of an examination that was cancelled is %v", err)
	}
}

func TestADoctorLooksNoDeeperThanHeIsTold(t *testing.T) {
	v := newPractice(t)
	v.post(bob, 3, 4)
	v.work()
	keys := v.header(ann).Keys // 4, 3, 2, 1
	for depth, want := range map[int]found{1: nil, 2: nil, 3: {feed.FindingExtraInFeed: 1}, 4: {feed.FindingExtraInFeed: 1}, 0: {feed.FindingExtraInFeed: 1}} {
		d := v.doctor()
		d.Reference, d.Depth = wishful{Reference: d.Reference, less: keys[2]}, depth
		r := v.finds(d, want)
		if shown := min(4, depth+4*(1-min(depth, 1))); r.Shown != shown {
			t.Errorf("down to %d, %d entries were compared", depth, r.Shown)
		}
	}
	v.post(bob, 5)
	d := v.doctor()
	d.Depth = 2
	v.finds(d, found{feed.FindingPendingEntry: 1, feed.FindingPendingInFeed: 1})
}

func TestAReportNamesTheFirstHundred(t *testing.T) {
	v := newTown(t)
	v.follow(ann, star)
	for id := range feed.ContentID(70) {
		v.post(star, id+1)
	}
	v.work()
	stamp, err := v.Backend.Relations.ViewerVersion(t.Context(), ann)
	v.must(err)
	v.forge(ann, stamp.Generation, feed.Build{Version: stamp.Version})
	var sum feed.Report
	for range 2 {
		sum.Add(v.finds(v.doctor(), found{feed.FindingMissingEntry: 70, feed.FindingMissingInFeed: 70}))
	}
	if sum.WrongCount() != 280 || len(sum.Wrong) != 100 || sum.Viewers != 2 || sum.Cold != 2 {
		t.Errorf("of %d findings %d are named", sum.WrongCount(), len(sum.Wrong))
	}
}

func TestADoctorExaminesManyAtOnce(t *testing.T) {
	v := newPractice(t)
	// The stores themselves, which many may use at the same time.
	b := v.Backend
	d := &feed.Doctor{
		Home: &timeline.Timeline{
			Viewers: &timeline.Direct{Inboxes: b.Inboxes, Relations: b.Relations, Outboxes: b.Outboxes, Posts: b.Posts, Primary: b.Posts},
			Inboxes: b.Inboxes, Outboxes: b.Outboxes, Reference: b.Reference, Unsettled: timeline.Lagging{}, Queue: feed.NoUpkeep{}, Policy: v.Policy,
		},
		Inboxes: b.Inboxes, Reference: b.Reference, Relations: b.Relations, Policy: v.Policy,
		Coverage: b.Coverage, Posts: b.Posts, Progress: b.Progress, AtOnce: 4,
	}
	v.amend(ann, nil, v.header(ann).Keys)
	viewers := slices.Repeat([]feed.UserID{ann, bob, cem, star, moon}, 20)
	if r := v.examine(d, viewers...); r.Viewers != 100 || r.Absent != 40 || r.Found[feed.FindingMissingEntry] != 40 {
		t.Errorf("the report is %+v", r)
	}
}
