package feedtest

import (
	"cmp"
	"math"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// liveHistorySuite checks the promises of [live.History].
func liveHistorySuite(s liveSuite) {
	s.promise("before the first transition the number is 0", func(w *liveWorld) {
		w.same("the number", w.now().Number, int64(0))
		m, hosts := must2(w.History.Hosts(w.ctx, ann, math.MaxInt64, 0))
		w.same("the number with the hosts", m.Number, int64(0))
		w.same("the hosts", len(hosts), 0)
		w.same("the open sessions", len(w.openAt(0, live.Position{}, many, ann)), 0)
		w.same("the open sessions of no hosts", len(w.openAt(0, live.Position{}, many)), 0)
	})
	s.promise("live sessions come first, then upcoming ones, each in their order", func(w *liveWorld) {
		for id := range live.ID(8) {
			host := ann
			if id%2 == 0 {
				host = bob
			}
			w.schedule(id+1, host, noon+int64(id/2))
		}
		for id, at := range map[live.ID]int64{1: noon, 2: noon + 9, 3: noon, 4: noon + 3} {
			w.start(id, at)
		}
		want := []live.Position{
			{State: live.Live, At: noon + 9, ID: 2},
			{State: live.Live, At: noon + 3, ID: 4},
			{State: live.Live, At: noon, ID: 3},
			{State: live.Live, At: noon, ID: 1},
			{State: live.Upcoming, At: noon + 2, ID: 6},
			{State: live.Upcoming, At: noon + 2, ID: 5},
			{State: live.Upcoming, At: noon + 3, ID: 8},
			{State: live.Upcoming, At: noon + 3, ID: 7},
		}
		var got []live.Position
		for _, e := range w.openAt(math.MaxInt64, live.Position{}, many, bob, ann, bob) {
			got = append(got, e.Position)
		}
		w.same("the open sessions", got, want)
	})
	s.promise("sessions as of a number are those of that time, whatever happened since", func(w *liveWorld) {
		position := func(s live.State, at int64) live.Position { return live.Position{State: s, At: at, ID: 7} }
		var numbers []int64
		record := func(s *live.Session) { numbers = append(numbers, s.Number) }
		record(w.schedule(7, ann, noon))
		record(w.reschedule(7, noon+5))
		record(w.reschedule(7, noon+3))
		record(w.start(7, noon+4))
		record(w.end(7, noon+6))
		w.schedule(8, ann, noon+100)
		w.openIs(numbers[0] - 1)
		w.openIs(numbers[0], position(live.Upcoming, noon))
		w.openIs(numbers[1], position(live.Upcoming, noon+5))
		w.openIs(numbers[2], position(live.Upcoming, noon+3))
		w.openIs(numbers[3], position(live.Live, noon+4))
		w.openIs(numbers[4])
		w.openIs(math.MaxInt64, live.Position{State: live.Upcoming, At: noon + 100, ID: 8})
	})
	s.promise("cancelled sessions are omitted, even as of an earlier number", func(w *liveWorld) {
		before := w.schedule(7, ann, noon).Number
		w.cancel(7, noon)
		w.openIs(before)
		w.openIs(math.MaxInt64)
		w.same("the session itself", w.sessionsOf(7)[0].State, live.Cancelled)
	})
	s.promise("only sessions after the position are returned, at most the limit", func(w *liveWorld) {
		for id := range live.ID(6) {
			w.schedule(id+1, ann, noon+int64(id/2))
		}
		w.start(1, noon+7)
		w.start(4, noon+7)
		asOf := w.now().Number
		// Two of these sessions have changed since.
		w.end(1, noon+8)
		w.reschedule(6, noon+9)
		whole := w.openAt(asOf, live.Position{}, many, ann)
		w.same("the number of open sessions", len(whole), 6)
		for i, e := range whole {
			for limit := 1; limit < 4; limit++ {
				want := whole[i+1 : min(i+1+limit, len(whole))]
				w.same("the sessions after a position", w.openAt(asOf, e.Position, limit, ann), append([]live.Entry(nil), want...))
			}
		}
		w.same("the sessions after a position of a cancelled session", w.openAt(asOf, live.Position{State: live.Live, At: noon + 7, ID: 3}, 1, ann), whole[1:2])
	})
	s.promise("the hosts are those with open sessions, or with a transition after the number", func(w *liveWorld) {
		w.follow(ann, bob, cem, dee)
		mine := w.schedule(1, ann, noon).Number
		w.schedule(2, bob, noon)
		bobs := w.schedule(3, bob, noon).Number
		w.replay(4, cem, noon)
		cems := w.now().Number
		always := int64(math.MaxInt64)
		w.hostsIs(ann, always, always, live.HostTransition{Host: ann, Number: mine}, live.HostTransition{Host: bob, Number: bobs})
		w.hostsIs(ann, always, cems, live.HostTransition{Host: ann, Number: mine}, live.HostTransition{Host: bob, Number: bobs})
		w.hostsIs(ann, always, cems-1, live.HostTransition{Host: ann, Number: mine}, live.HostTransition{Host: bob, Number: bobs}, live.HostTransition{Host: cem, Number: cems})
		w.cancel(2, noon)
		last := w.cancel(3, noon).Number
		w.hostsIs(ann, always, always, live.HostTransition{Host: ann, Number: mine})
		w.hostsIs(ann, always, last-1, live.HostTransition{Host: ann, Number: mine}, live.HostTransition{Host: bob, Number: last})
		w.hostsIs(dee, always, always)
	})
	s.promise("the hosts are the viewer and the users followed by a version", func(w *liveWorld) {
		number := w.schedule(1, bob, noon).Number
		w.follow(ann, cem)
		before := w.viewerVersion(ann).Version
		w.follow(ann, bob)
		w.hostsIs(ann, before, math.MaxInt64)
		w.hostsIs(ann, before+1, math.MaxInt64, live.HostTransition{Host: bob, Number: number})
		w.raiseFlag(feed.FlagUnpushed, bob)
		must(w.Flags.LowerFlag(w.ctx, bob, feed.FlagNone))
		w.hostsIs(ann, before, math.MaxInt64)
		w.hostsIs(ann, before+1, math.MaxInt64, live.HostTransition{Host: bob, Number: number})
		check(w.Follows.Unfollow(w.ctx, ann, bob))
		w.hostsIs(ann, math.MaxInt64, math.MaxInt64)
	})
	s.promise("Followed returns the viewer and followed users among the given hosts", func(w *liveWorld) {
		w.follow(ann, bob)
		version := w.viewerVersion(ann).Version
		w.follow(ann, cem)
		for _, c := range []struct {
			version int64
			want    []feed.UserID
		}{{version, []feed.UserID{ann, bob}}, {version + 1, []feed.UserID{ann, bob, cem}}, {0, []feed.UserID{ann}}} {
			got := must(w.History.Followed(w.ctx, ann, c.version, []feed.UserID{dee, cem, bob, ann}))
			slices.Sort(got)
			w.same("the followed hosts", got, c.want)
		}
		w.raiseFlag(feed.FlagUnpushed, bob)
		must(w.Flags.LowerFlag(w.ctx, bob, feed.FlagNone))
		got := must(w.History.Followed(w.ctx, ann, version, []feed.UserID{cem, bob, ann}))
		slices.Sort(got)
		w.same("the hosts after a flag fell", got, []feed.UserID{ann, bob})
		w.same("the result for no hosts", len(must(w.History.Followed(w.ctx, ann, version, nil))), 0)
	})
	s.promise("the sets hold the number of the last transition and all that is open", func(w *liveWorld) {
		w.schedule(1, ann, noon)
		w.schedule(2, ann, noon+1)
		mine := w.start(1, noon+2)
		w.schedule(3, bob, noon)
		bobs := w.cancel(3, noon)
		w.schedule(4, dee, noon)
		sets := must(w.History.Sets(w.ctx, []feed.UserID{cem, bob, ann, bob}))
		anns := live.Set{Number: mine.Number, Open: []live.Position{{State: live.Live, At: noon + 2, ID: 1}, {State: live.Upcoming, At: noon + 1, ID: 2}}}
		w.same("the sets", sets, []live.Set{{}, {Number: bobs.Number}, anns, {Number: bobs.Number}})
	})
}

func (w *liveWorld) openAt(asOf int64, after live.Position, limit int, hosts ...feed.UserID) []live.Entry {
	return must(w.History.Open(w.ctx, hosts, asOf, after, limit))
}

// openIs compares the positions of ann's open sessions at a time.
func (w *liveWorld) openIs(asOf int64, want ...live.Position) {
	var got []live.Position
	for _, e := range w.openAt(asOf, live.Position{}, many, ann) {
		w.same("the host", e.Host, ann)
		got = append(got, e.Position)
	}
	w.same("the open sessions", got, want)
}

// hostsIs compares the hosts of a viewer, in the order of their ids.
func (w *liveWorld) hostsIs(viewer feed.UserID, version, asOf int64, want ...live.HostTransition) {
	m, got := must2(w.History.Hosts(w.ctx, viewer, version, asOf))
	w.same("the number of the moment", m.Number, w.now().Number)
	slices.SortFunc(got, func(a, b live.HostTransition) int { return cmp.Compare(a.Host, b.Host) })
	w.same("the hosts", got, append([]live.HostTransition(nil), want...))
}
