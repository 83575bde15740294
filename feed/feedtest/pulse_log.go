package feedtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
)

// pulseLogPromises checks the promises of [feed.PulseLog].
func pulseLogPromises(s storeSuite) {
	s.empty("each server's pulse is stored unchanged", func(w *world) {
		w.same("the stored pulses", w.pulses(), []feed.Pulse(nil))
		pulses := []feed.Pulse{
			{Server: "", Number: 3},
			{Server: "A", Number: noon, Run: "run of A"},
			{Server: "a", Number: 1 << 60, Run: "run of a"},
			{Server: "a:1", Run: "run"},
		}
		w.acknowledge(pulses...)
		w.same("the stored pulses", w.pulses(), pulses)
	})
	s.empty("the last stored pulse wins, even if its number is lower", func(w *world) {
		w.acknowledge(feed.Pulse{Server: "a", Number: 5, Run: "one"}, feed.Pulse{Server: "b", Number: 7, Run: "one"})
		for _, p := range []feed.Pulse{{Server: "a", Number: 6, Run: "one"}, {Server: "a", Number: 2, Run: "two"}} {
			w.acknowledge(p)
			w.same("the stored pulses", w.pulses(), []feed.Pulse{p, {Server: "b", Number: 7, Run: "one"}})
		}
	})
	s.empty("the highest promised number stays", func(w *world) {
		a := feed.Pulse{Server: "a", Number: 5, Run: "one"}
		for _, step := range []struct {
			do   func() error
			want []feed.StoredPulse
		}{
			{func() error { return w.PulseLog.Promise(w.ctx, "a", 4) }, []feed.StoredPulse{{Pulse: feed.Pulse{Server: "a"}, Promised: 4}}},
			{func() error { return w.PulseLog.Acknowledge(w.ctx, a) }, []feed.StoredPulse{{Pulse: a, Promised: 5}}},
			{func() error { return w.PulseLog.Promise(w.ctx, "a", 1<<60) }, []feed.StoredPulse{{Pulse: a, Promised: 1 << 60}}},
			{func() error { return w.PulseLog.Promise(w.ctx, "a", 7) }, []feed.StoredPulse{{Pulse: a, Promised: 1 << 60}}},
			{func() error { return w.PulseLog.Acknowledge(w.ctx, a) }, []feed.StoredPulse{{Pulse: a, Promised: 1 << 60}}},
		} {
			check(step.do())
			w.same("the stored pulses", w.storedPulses(), step.want)
		}
	})
	s.empty("one of concurrent pulses is stored for each server", func(w *world) {
		together(8, func(i int) error {
			return w.PulseLog.Acknowledge(w.ctx, feed.Pulse{Server: fmt.Sprint(i % 2), Number: int64(i), Run: fmt.Sprint(i)})
		})
		pulses := w.pulses()
		w.same("the number of stored pulses", len(pulses), 2)
		for i, p := range pulses {
			w.same("the server", p.Server, fmt.Sprint(i))
			w.same("the run of the stored number", p.Run, fmt.Sprint(p.Number))
		}
	})
	s.promise("raising the generation raises no version; it is at least the time, so a restored backup never repeats one", func(w *world) {
		w.follow(ann, bob)
		before := map[feed.UserID]feed.ViewerVersion{}
		viewers := []feed.UserID{0, ann, bob}
		for _, viewer := range viewers {
			before[viewer] = w.viewerVersion(viewer)
		}
		check(w.PulseLog.RaiseGeneration(w.ctx))
		for _, viewer := range viewers {
			was, is := before[viewer], w.viewerVersion(viewer)
			w.rose("the generation", was.Generation, is.Generation)
			w.same("the version", is.Version, was.Version)
		}
		now := w.now()
		check(w.PulseLog.RaiseGeneration(w.ctx))
		got := w.viewerVersion(0).Generation
		w.failIf(got < now, "at time %d the generation is %d, want at least the time", now, got)
	})
	s.empty("each of concurrent raises increases the generation", func(w *world) {
		const raises = 8
		before := w.viewerVersion(0).Generation
		together(raises, func(int) error { return w.PulseLog.RaiseGeneration(w.ctx) })
		after := w.viewerVersion(0).Generation
		w.failIf(after < before+raises, "the generation went from %d to %d in %d raises, want at least one per raise", before, after, raises)
	})
}

func (w *world) acknowledge(pulses ...feed.Pulse) {
	for _, p := range pulses {
		check(w.PulseLog.Acknowledge(w.ctx, p))
	}
}

// pulses returns the stored pulses, sorted by server.
func (w *world) pulses() []feed.Pulse {
	return each(w.storedPulses(), func(p feed.StoredPulse) feed.Pulse { return p.Pulse })
}

// storedPulses returns the known servers, sorted.
func (w *world) storedPulses() []feed.StoredPulse {
	pulses := must(w.PulseLog.StoredPulses(w.ctx))
	slices.SortFunc(pulses, func(a, b feed.StoredPulse) int { return cmp.Compare(a.Server, b.Server) })
	return pulses
}

// announcementLogPromises checks the promises of [feed.AnnouncementLog].
func announcementLogPromises(s storeSuite) {
	s.empty("the end of the last slice marks a post, and no call after it", func(w *world) {
		w.plan(1, 2)
		w.same("marked before any slice is done", w.announces(1), false)
		w.completeSlice(ref(1, 1))
		w.same("marked with one slice open", w.announces(1), false)
		result := must(w.Slices.AdvanceSlice(w.ctx, w.claimSlice(ref(1, 0)), true, noon))
		w.same("the result of completing the last slice", result, feed.AdvanceLast)
		w.same("marked twice", w.announces(1), false)
	})
	s.empty("a post without recipients is marked when its plan is stored", func(w *world) {
		w.plan(1, 0)
		w.same("marked", w.announces(1), true)
		w.storePlan(planOf(1, 0), noon)
		w.same("marked after the plan was stored again", w.announces(1), false)
	})
	s.promise("a post without a plan is not marked", func(w *world) {
		w.post(1, ann, noon)
		w.same("marked without a plan", w.announces(1), false)
		w.same("marked without a post", w.announces(2), false)
	})
	s.empty("a post whose slices run again is not marked again", func(w *world) {
		w.plan(1, 1)
		w.completeSlice(ref(1, 0))
		must(w.Progress.Rerun(w.ctx, 0, noon))
		w.completeSlice(ref(1, 0))
		w.same("marked again", w.announces(1), false)
	})
	s.empty("only one of many concurrent calls marks a post", func(w *world) {
		w.plan(1, 0)
		marked := gather(8, func(int) (bool, error) { return w.Announced.MarkAnnounced(w.ctx, 1) })
		w.same("the number of calls that marked the post", count(marked), 1)
	})
	s.promise("pushes are logged for each viewer until the post has a plan", func(w *world) {
		w.post(1, ann, noon)
		log := w.logReader()
		post := newPost(1, ann, noon)
		pushed := func(viewer feed.UserID) feed.Change {
			return feed.Change{Kind: feed.ChangePushed, User: viewer, Other: ann, Post: 1}
		}
		check(w.Announced.LogPushed(w.ctx, post, nil))
		log.logs("no viewer")
		check(w.Announced.LogPushed(w.ctx, post, []feed.UserID{bob, cem}))
		log.logs("two viewers", pushed(bob), pushed(cem))
		check(w.Announced.LogPushed(w.ctx, post, []feed.UserID{cem}))
		log.logs("a viewer again", pushed(cem))
		w.storePlan(planOf(1, 1), noon)
		check(w.Announced.LogPushed(w.ctx, post, []feed.UserID{bob, cem}))
		log.logs("a post with a plan")
	})
}

// announces reports whether this call marks the post.
func (w *world) announces(post feed.PostID) bool { return must(w.Announced.MarkAnnounced(w.ctx, post)) }

// Announcer is the announcer and listener of one process.
type Announcer interface {
	feed.Announcer
	feed.Listener
}

// Announcements checks the promises of [feed.Announcer] and [feed.Listener]. open returns two
// processes that receive each other's announcements. Its function lose makes listeners miss
// announcements, as a lost connection does.
func Announcements(t *testing.T, open func(t *testing.T) (one, other Announcer, lose func())) {
	promise := func(name string, check func(t *testing.T, one, other Announcer, lose func())) {
		t.Run(name, func(t *testing.T) {
			one, other, lose := open(t)
			check(t, one, other, lose)
		})
	}
	promise("each listener receives every announcement once, including those of its own process", func(t *testing.T, one, other Announcer, _ func()) {
		calls := []*listenCall{listen(t, one), listen(t, other), listen(t, other)}
		announce(t, one, 1, 1<<63-2, 3)
		for _, e := range calls {
			e.expect(1, 1<<63-2, 3)
		}
		announce(t, other, 4)
		for _, e := range calls {
			e.expect(4)
		}
	})
	// In a Redis Cluster, an announcement takes a moment to pass between nodes, and listeners that
	// start meanwhile still receive it. The first listener shows when it has arrived.
	promise("a listener receives no earlier announcements", func(t *testing.T, one, other Announcer, _ func()) {
		before := listen(t, other)
		announce(t, one, 1)
		before.expect(1)
		e := listen(t, other)
		announce(t, one, 2)
		e.expect(2)
	})
	promise("listening ends with its context", func(t *testing.T, one, other Announcer, _ func()) {
		e := listen(t, one)
		e.stop()
		if err := e.end(); !errors.Is(err, context.Canceled) {
			t.Errorf("Listen: got error %v, want the context's error", err)
		}
		announce(t, other, 1)
		if n := len(e.received); n > 0 {
			t.Errorf("%d announcements arrived after Listen had returned, want none", n)
		}
	})
	promise("listening ends when an announcement may have been lost, and can begin again", func(t *testing.T, one, other Announcer, lose func()) {
		e := listen(t, one)
		lose()
		if err := e.end(); err == nil || errors.Is(err, context.Canceled) {
			t.Errorf("Listen: got error %v, want the error of a lost connection", err)
		}
		again := listen(t, one)
		announce(t, other, 1)
		again.expect(1)
	})
	promise("announcing with an ended context is an error", func(t *testing.T, one, _ Announcer, _ func()) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if one.Announce(ctx, announcementOf(1)) == nil {
			t.Error("Announce succeeded with an ended context, want an error")
		}
	})
}

// listenCall is a running call of Listen.
type listenCall struct {
	t        *testing.T
	received chan feed.Announcement
	ended    chan error
	stop     context.CancelFunc
}

// listen returns when the process listens.
func listen(t *testing.T, l feed.Listener) *listenCall {
	ctx, stop := context.WithCancel(t.Context())
	e := &listenCall{t: t, received: make(chan feed.Announcement, many), ended: make(chan error, 1), stop: stop}
	ready := make(chan struct{})
	go func() {
		e.ended <- l.Listen(ctx, func() { close(ready) }, func(a feed.Announcement) { e.received <- a })
	}()
	t.Cleanup(stop)
	select {
	case <-ready:
	case err := <-e.ended:
		t.Fatalf("Listen returned before it was ready: %v", err)
	case <-time.After(eventually.Limit):
		t.Fatal("Listen was never ready")
	}
	return e
}

// expect fails the test unless the next announcements are of these posts, in any order: in a Redis
// Cluster, announcements may overtake each other.
func (e *listenCall) expect(want ...feed.PostID) {
	for len(want) > 0 {
		select {
		case got := <-e.received:
			at := slices.Index(want, got.Post)
			if at < 0 || got != announcementOf(got.Post) {
				e.t.Fatalf("received %+v, want one of the posts %v", got, want)
			}
			want = slices.Delete(want, at, at+1)
		case err := <-e.ended:
			e.t.Fatalf("Listen returned before the announcements of posts %v arrived: %v", want, err)
		case <-time.After(eventually.Limit):
			e.t.Fatalf("the announcements of posts %v never arrived", want)
		}
	}
}

// end returns what Listen returns.
func (e *listenCall) end() error {
	select {
	case err := <-e.ended:
		return err
	case <-time.After(eventually.Limit):
		e.t.Fatal("Listen never returned")
		return nil
	}
}

// announcementOf returns an announcement of a post. Its other ids are the largest possible ones.
func announcementOf(id feed.PostID) feed.Announcement {
	return feed.Announcement{Post: id, Author: 1<<63 - 1 - feed.UserID(id)}
}

func announce(t *testing.T, a feed.Announcer, ids ...feed.PostID) {
	for _, id := range ids {
		check(a.Announce(t.Context(), announcementOf(id)))
	}
}

// bulkLoadsPromises checks the promises of [feed.BulkLoads], and of [feed.Batch.Bulk].
func bulkLoadsPromises(s storeSuite) {
	s.empty("a load uses no inboxes, and raises the generation at its end", func(w *world) {
		w.isLoading(false)
		w.endsLoad(0, false)
		before := w.generation()
		w.bulkLoads(sampleRecords())
		w.bulkLoads(records(postRecord(12, ann)))
		w.isLoading(true)
		w.same("the generation during the load", w.generation(), before)
		w.sampleRecordsAreLoaded()
		w.endsLoad(0, true)
		w.isLoading(false)
		w.rose("the generation at the end of a load", before, w.generation())
		w.endsLoad(0, false)
	})
	s.empty("a load begins with a change, and ends after it was idle", func(w *world) {
		w.imports(sampleRecords())
		w.bulkLoads(sampleRecords())
		w.bulkLoads(records(followRecord(ann, 12345)))
		w.isLoading(false)
		w.bulkLoads(records(postRecord(12, ann)))
		w.endsLoad(time.Hour, false)
		w.isLoading(true)
		w.endsLoad(0, true)
	})
	// Of two loads at once, the first that ends does not end the other.
	s.empty("a batch after the end begins a new load", func(w *world) {
		w.bulkLoads(sampleRecords())
		w.endsLoad(0, true)
		ended := w.generation()
		w.bulkLoads(records(postRecord(12, ann)))
		w.isLoading(true)
		w.endsLoad(0, true)
		w.rose("the generation at the end of the second load", ended, w.generation())
	})
	// An ingested batch of a load has no fan-outs.
	s.empty("a load logs what caches may hold", func(w *world) {
		place := w.numberAll()
		w.bulkLoads(sampleRecords())
		w.same("the number of changes of new objects", len(w.loggedAfter(place)), 0)
		edited := postRecord(10, bob)
		edited.Post.Text, edited.Post.EditedAt = "edited", noon
		b := batchOf([]feed.Record{edited, profileRecord(cem, "cem", "Cem"), postRecord(12, ann), followRecord(cem, ann)})
		b.Bulk = true
		result := w.ingests(b)
		w.same("the number of fan-outs", len(result.Planned)+len(result.Pending), 0)
		changes := withoutNumbers(w.loggedAfter(place))
		w.same("the number of changes of stored objects", len(changes), 2)
		for _, want := range []feed.Change{{Kind: feed.ChangeProfile, User: cem}, {Kind: feed.ChangeEdited, User: bob, Post: 10}} {
			w.same("whether a change of a stored object is logged", hasChange(changes, want), true)
		}
		w.isLoading(true)
		place = w.numberAll()
		w.endsLoad(0, true)
		w.same("the log of the end", withoutNumbers(w.loggedAfter(place)), []feed.Change{{Kind: feed.ChangeReset}})
	})
	s.empty("slices are dropped during a load", func(w *world) {
		w.user(ann)
		for id, loading := range map[feed.PostID]bool{1: false, 2: true} {
			w.publish(newPost(id, ann, noon))
			must(w.Plans.StorePlan(w.ctx, feed.Plan{Post: id, Author: ann, Slices: []feed.Slice{{First: 1, Last: 9}}}, noon))
			if loading {
				w.bulkLoads(records(userRecord(bob)))
			}
			s := must(w.Slices.ClaimSlice(w.ctx, feed.SliceRef{Post: id}, noon, noon+1))
			w.same("whether the slice is dropped", s.Dropped, loading)
			w.endsLoad(0, loading)
		}
	})
}

// bulkLoads applies a batch of a bulk load.
func (w *world) bulkLoads(batch []feed.Record) { must(w.Load(w.ctx, batch)) }

// endsLoad ends a bulk load if it was idle for long enough.
func (w *world) endsLoad(idle time.Duration, want bool) {
	ended := must(w.Loads.EndLoad(w.ctx, idle))
	w.same("whether a load has ended", ended, want)
}

// isLoading compares the flag of every viewer version and of the report.
func (w *world) isLoading(want bool) {
	for _, viewer := range []feed.UserID{0, ann} {
		w.same("the flag of the version", w.viewerVersion(viewer).Loading, want)
	}
	survey := must(w.Surveyor.Survey(w.ctx, ann, 0, false, 1))
	w.same("the flag of the survey", survey.Version.Loading, want)
	report := must(w.Sources.ReportSources(w.ctx))
	w.same("the flag of the report", report.Load.Since > 0 && report.Load.LastAt >= report.Load.Since, want)
}

func (w *world) generation() int64 { return w.viewerVersion(0).Generation }

// sampleRecordsAreLoaded compares what a load has stored with the reference query.
func (w *world) sampleRecordsAreLoaded() {
	w.same("ann's feed", w.feedOf(ann), []feed.Key{
		{TS: noon, ID: 100}, {TS: noon, ID: 12}, {TS: noon, ID: 11}, {TS: noon, ID: 10}, {TS: noon, ID: 9},
	})
	w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Followers: 1, Following: 2, Posts: 2})
}
