package feedtest

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

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
