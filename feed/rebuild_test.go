package feed_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

func (v town) rebuilder() *feed.Rebuilder {
	return &feed.Rebuilder{Builder: v.Builder, Keeper: v.Backend.Inboxes}
}

func (v town) rebuild(want feed.Rebuilt, viewers ...feed.UserID) {
	v.Helper()
	got, err := v.rebuilder().Rebuild(v.Context(), viewers)
	v.must(err)
	if got != want {
		v.Errorf("it did %+v, want %+v", got, want)
	}
}

func (v town) dormant(viewers ...feed.UserID) int {
	v.Helper()
	dormant, err := v.Backend.Activity.Dormant(v.Context(), viewers, 0)
	v.must(err)
	return len(dormant)
}

func TestARebuildMendsWhateverIsWrong(t *testing.T) {
	for name, damage := range map[string]func(v town){
		"nothing is":         func(town) {},
		"an entry is gone":   func(v town) { v.amend(ann, nil, v.header(ann).Keys) },
		"an entry is added":  func(v town) { v.push(ann, v.publish(moon, 3, feed.Draft{Text: "strange"}).Key()) },
		"it is forged":       func(v town) { v.forge(ann, v.header(ann).Generation, feed.Build{Version: 1000}) },
		"there is none":      func(v town) { v.must(v.Backend.Inboxes.Remove(v.Context(), ann)) },
		"a build was broken": func(v town) { v.must(v.Backend.Inboxes.Remove(v.Context(), ann)); v.broken(ann) },
	} {
		t.Run(name, func(t *testing.T) {
			v := newPractice(t)
			damage(v)
			v.rebuild(feed.Rebuilt{Built: 1}, ann)
			same(t, "the inbox", v.entries(ann), 2, 1)
			v.finds(v.doctor(), nil)
			same(t, "the feed", v.home(ann), 2, 1)
			v.source(ann, feed.SourceInbox)
		})
	}
}

// broken leaves the mark of a build that has just died.
func (v town) broken(viewer feed.UserID) {
	v.Helper()
	_, err := v.Backend.Inboxes.BeginBuild(v.Context(), viewer, feed.BuildMark{Token: "dead", StartedAt: v.Clock.Millis()}, 0)
	v.must(err)
}

// A rebuild tells nothing of whether anybody is there.
func TestARebuildMakesNobodyActive(t *testing.T) {
	v := newPractice(t)
	v.Clock.Advance(v.Policy.ActiveFor - time.Hour)
	v.rebuild(feed.Rebuilt{Built: 1}, ann)
	v.post(star, 3)
	v.work()
	same(t, "the inbox, while the lease lasts", v.entries(ann), 3, 2, 1)
	same(t, "the feed", v.home(ann), 3, 2, 1)
	v.work()
	v.rebuild(feed.Rebuilt{Built: 1}, ann)
	if v.dormant(ann) != 0 {
		t.Error("who has read is taken for dormant")
	}

	v.Clock.Advance(2 * time.Hour)
	if v.dormant(bob) != 1 {
		t.Fatal("bob is not dormant, so this tests nothing")
	}
	v.rebuild(feed.Rebuilt{Removed: 1}, bob)
	if v.dormant(bob) != 1 || v.header(bob).State != feed.InboxAbsent {
		t.Error("a rebuild brought somebody back who is away")
	}
	same(t, "his feed when he comes back", v.home(bob), 3, 2, 1)
	v.work()
	same(t, "his inbox", v.entries(bob), 3, 1)
}

// What leaves the lease alone cannot claim what depends on it.
func TestARebuiltInboxIsColdUntilItsOwnerReads(t *testing.T) {
	v := newPractice(t)
	v.rebuild(feed.Rebuilt{Built: 1}, ann)
	if r := v.finds(v.doctor(), nil); r.Cold != 1 {
		t.Errorf("the report is %+v", r)
	}
	same(t, "the feed", v.home(ann), 2, 1)
	v.work()
	if r := v.finds(v.doctor(), nil); r.Warm != 1 {
		t.Errorf("after a visit the report is %+v", r)
	}
}

// Whatever happens between its steps, feeds are exact at rest.
func TestNothingIsMissedDuringARebuild(t *testing.T) {
	for name, happen := range map[string]func(v town){
		"contents are published and pushed": func(v town) { v.post(bob, 3); v.post(star, 4); v.work() },
		"the viewer reads":                  func(v town) { v.home(ann); v.work() },
		"somebody is followed":              func(v town) { v.post(moon, 3); v.follow(ann, moon); v.work() },
		"the lease ends":                    func(v town) { v.lapse(); v.post(star, 3); v.work() },
	} {
		for n, happened := 0, true; happened; n++ {
			v := newPractice(t)
			was := v.At(n, func() { happen(v) })
			_, err := v.rebuilder().Rebuild(t.Context(), []feed.UserID{ann})
			v.must(err)
			happened = was()
			for range 2 {
				v.must(v.Rest(t.Context()))
				if r := v.examine(v.doctor(), ann); len(r.Found) != 0 {
					t.Errorf("%s before call %d, and the doctor found %v", name, n, r.Found)
				}
				v.home(ann)
			}
		}
	}
}

func TestAllInboxesAreRebuilt(t *testing.T) {
	v := newTown(t)
	everybody := []feed.UserID{ann, bob, cem, star, moon}
	for _, viewer := range everybody {
		v.inbox(viewer)
		v.forge(viewer, 0, feed.Build{Version: 1000})
	}
	var told []feed.Rebuilt
	// A rebuild makes four calls, so this is one of the second viewer's, whose inbox has
	// been dropped by then.
	v.Flaky.FailAt = 7
	done, err := v.rebuilder().All(t.Context(), func(r feed.Rebuilt) { told = append(told, r) })
	if feed.CodeOf(err) != feed.CodeUnavailable || done.Built != 1 {
		t.Errorf("with a failure on the way it did %+v, %v", done, err)
	}
	_, err = v.rebuilder().All(t.Context(), func(r feed.Rebuilt) { told = append(told, r) })
	v.must(err)
	// He has none to be met the second time; the others are met two at a time.
	same(t, "what it told of", told, feed.Rebuilt{Built: 1}, feed.Rebuilt{Built: 2}, feed.Rebuilt{Built: 4})
	if r := v.examine(v.doctor(), everybody...); r.WrongCount() != 0 || r.Absent != 1 {
		t.Errorf("the report is %+v", r)
	}
}
