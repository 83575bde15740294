package feedtest

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

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
		got := each(w.openAt(math.MaxInt64, live.Position{}, many, bob, ann, bob), func(e live.Entry) live.Position { return e.Position })
		w.same("the open sessions", got, want)
	})
	s.promise("sessions as of a number are those of that time, whatever happened since, without cancelled ones", func(w *liveWorld) {
		before := w.schedule(6, ann, noon).Number
		w.cancel(6, noon)
		w.openIs(before)
		w.openIs(math.MaxInt64)
		w.same("the session itself", w.sessionsOf(6)[0].State, live.Cancelled)
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

// LiveSets checks the promises of [live.Sets]. open returns sets without the hosts of other tests.
func LiveSets(t *testing.T, open func(t *testing.T) live.Sets) {
	s := suite[*setsWorld]{t, func(t *testing.T) *setsWorld { return &setsWorld{worldOf(t, Stores{}), open(t)} }}
	s.empty("a set is read in feed order, and is empty with number 0 until it is written", func(w *setsWorld) {
		w.same("the sets", w.read(5, ann, bob), []live.Set{{}, {}})
		w.same("the result for no hosts", w.read(5), []live.Set{})
		want := samplePositions()
		shuffled := append(append([]live.Position(nil), want[3:]...), want[:3]...)
		w.write(ann, live.Set{Number: 1 << 60, Open: shuffled})
		w.same("the set", w.read(many, ann), []live.Set{{Number: 1 << 60, Open: want}})
	})
	s.empty("a set is read up to the limit, and reports whether more entries follow", func(w *setsWorld) {
		want := samplePositions()
		w.write(ann, live.Set{Number: 3, Open: want})
		for limit := 1; limit <= len(want)+1; limit++ {
			n := min(limit, len(want))
			w.same("the set", w.read(limit, ann), []live.Set{{Number: 3, Open: want[:n], More: n < len(want)}})
		}
	})
	s.empty("only a higher number replaces a set, and it replaces the whole set", func(w *setsWorld) {
		first, second := live.Set{Number: 5, Open: samplePositions()[:4]}, live.Set{Number: 7, Open: samplePositions()[3:6]}
		w.write(ann, first)
		for _, number := range []int64{4, 5} {
			w.write(ann, live.Set{Number: number, Open: samplePositions()[6:]})
			w.same("the set", w.read(many, ann), []live.Set{first})
		}
		w.write(ann, second)
		w.write(bob, live.Set{Number: 1, Open: samplePositions()[7:]})
		w.same("the sets", w.read(many, ann, bob), []live.Set{second, {Number: 1, Open: samplePositions()[7:]}})
	})
	s.empty("an empty set is stored", func(w *setsWorld) {
		w.write(ann, live.Set{Number: 5, Open: samplePositions()})
		w.write(ann, live.Set{Number: 6})
		w.same("the set", w.read(many, ann), []live.Set{{Number: 6}})
	})
	s.empty("the highest number of concurrent writes wins", func(w *setsWorld) {
		const n = 8
		together(n, func(i int) error {
			return w.sets.Write(w.ctx, 1, ann, live.Set{Number: int64(i + 1), Open: samplePositions()[:i+1]})
		})
		w.same("the set", w.read(many, ann), []live.Set{{Number: n, Open: samplePositions()[:n]}})
	})
	s.empty("many hosts are read in the given order", func(w *setsWorld) {
		const n = 1200
		hosts, want := make([]feed.UserID, n), make([]live.Set, n)
		for i := range hosts {
			hosts[i] = feed.UserID(100_000 + i*37)
			if i%3 == 0 {
				want[i] = live.Set{Number: int64(i + 1), Open: []live.Position{{State: live.Live, At: noon, ID: live.ID(i + 1)}}}
				w.write(hosts[i], want[i])
			}
		}
		w.same("the sets", w.read(1, hosts...), want)
	})
	s.empty("sets of different generations are independent", func(w *setsWorld) {
		old, young := live.Set{Number: 9, Open: samplePositions()}, live.Set{Number: 4, Open: samplePositions()[:2]}
		w.write(ann, old)
		check(w.sets.Write(w.ctx, 2, ann, young))
		for generation, want := range []live.Set{{}, old, young, {}} {
			got := must(w.sets.Read(w.ctx, int64(generation), []feed.UserID{ann}, many))
			w.same("the sets of a generation", got, []live.Set{want})
		}
	})
	s.empty("an ended context is an error", func(w *setsWorld) {
		ctx := w.endedContext()
		w.fail(map[string]error{
			"Write": w.sets.Write(ctx, 1, ann, live.Set{Number: 1}),
			"Read":  errorOf(w.sets.Read(ctx, 1, []feed.UserID{ann}, 1)),
		})
	})
}

type setsWorld struct {
	*world
	sets live.Sets
}

func (w *setsWorld) write(host feed.UserID, s live.Set) { check(w.sets.Write(w.ctx, 1, host, s)) }

func (w *setsWorld) read(limit int, hosts ...feed.UserID) []live.Set {
	return must(w.sets.Read(w.ctx, 1, hosts, limit))
}

// samplePositions returns a set with ties. The numeric order of its ids differs from their order as
// text.
func samplePositions() []live.Position {
	return []live.Position{
		{State: live.Live, At: noon + 1, ID: 1 << 62},
		{State: live.Live, At: noon + 1, ID: 100},
		{State: live.Live, At: noon + 1, ID: 9},
		{State: live.Live, At: noon, ID: 2000},
		{State: live.Upcoming, At: noon + 2, ID: 100_000},
		{State: live.Upcoming, At: noon + 2, ID: 11},
		{State: live.Upcoming, At: noon + 9, ID: 12},
		{State: live.Upcoming, At: feed.MaxTime, ID: 10},
	}
}

// LiveSnapshots checks the promises of [live.Snapshots]. open returns a store without snapshots of
// the viewers of other tests.
func LiveSnapshots(t *testing.T, open func(t *testing.T) live.Snapshots) {
	s := suite[*snapshotsWorld]{t, func(t *testing.T) *snapshotsWorld { return &snapshotsWorld{worldOf(t, Stores{}), open(t)} }}
	s.empty("a saved snapshot can be loaded", func(w *snapshotsWorld) {
		w.loads(ann, 7, nil)
		want := snapshotOf(5)
		check(w.Save(w.ctx, ann, 7, want, time.Hour))
		for range 2 {
			w.loads(ann, 7, &want)
		}
	})
	s.empty("a snapshot belongs to one viewer and one name", func(w *snapshotsWorld) {
		one, two, three := snapshotOf(1), snapshotOf(2), snapshotOf(3)
		check(w.Save(w.ctx, ann, 7, one, time.Hour))
		check(w.Save(w.ctx, ann, 1<<63, two, time.Hour))
		check(w.Save(w.ctx, bob, 7, three, time.Hour))
		w.loads(ann, 7, &one)
		w.loads(ann, 1<<63, &two)
		w.loads(bob, 7, &three)
		w.loads(bob, 1<<63, nil)
	})
	s.empty("snapshots may have no entries or many", func(w *snapshotsWorld) {
		for name, n := range []int{0, 1, 10_000} {
			want := snapshotOf(n)
			check(w.Save(w.ctx, ann, uint64(name), want, time.Hour))
			w.loads(ann, uint64(name), &want)
		}
	})
	s.empty("an ended context is an error", func(w *snapshotsWorld) {
		ctx := w.endedContext()
		w.fail(map[string]error{"Save": w.Save(ctx, ann, 1, snapshotOf(1), time.Hour), "Load": errorOf(w.Load(ctx, ann, 1))})
	})
}

type snapshotsWorld struct {
	*world
	live.Snapshots
}

// snapshotOf is a snapshot of n entries.
func snapshotOf(n int) live.Snapshot {
	s := live.Snapshot{Number: 1 << 60, Version: 12}
	for i := range n {
		p := live.Position{State: live.Live, At: noon - int64(i), ID: live.ID(1<<62 - i)}
		if i >= n/2 {
			p = live.Position{State: live.Upcoming, At: noon + int64(i), ID: live.ID(i + 1)}
		}
		s.Open = append(s.Open, live.Entry{Position: p, Host: feed.UserID(1<<61 + i)})
	}
	return s
}

func (w *snapshotsWorld) loads(viewer feed.UserID, name uint64, want *live.Snapshot) {
	w.same("the snapshot", must(w.Load(w.ctx, viewer, name)), want)
}
