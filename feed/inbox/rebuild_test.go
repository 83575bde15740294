package inbox_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/publish"
)

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
			v.Finds(v.Doctor(), nil)
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
	v.Deliver(star, 3)
	fixture.Same(t, "the inbox, while the lease lasts", v.Entries(ann), 3, 2, 1)
	fixture.Same(t, "the feed", v.Home(ann), 3, 2, 1)
	v.WorkAll()
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

// What leaves the lease alone cannot claim what depends on it.
func TestRebuild_LeavesInboxCold(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	rebuild(v, inbox.Rebuilt{Built: 1}, ann)
	fixture.Is(t, "the cold inboxes", v.Finds(v.Doctor(), nil).Cold, 1)
	fixture.Same(t, "the feed", v.Home(ann), 2, 1)
	v.WorkAll()
	fixture.Is(t, "the warm inboxes after a visit", v.Finds(v.Doctor(), nil).Warm, 1)
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
				if r := v.Examine(v.Doctor(), ann); len(r.Found) != 0 {
					t.Errorf("%s before call %d, and the doctor found %v", name, n, r.Found)
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
	// The removed inbox is not met the second time; the others are met two at a time.
	fixture.Same(t, "what it told of", told, inbox.Rebuilt{Built: 1}, inbox.Rebuilt{Built: 2}, inbox.Rebuilt{Built: 4})
	if r := v.Examine(v.Doctor(), everybody...); r.WrongCount() != 0 || r.Absent != 1 {
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
