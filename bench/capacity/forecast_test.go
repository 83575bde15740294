package capacity_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/bench/capacity"
)

// cost returns a cost with every figure equal to n.
func cost(n float64) capacity.Cost {
	return capacity.Cost{Statements: n, Commands: n, API: n, Worker: n, Redis: n, Postgres: n}
}

// published returns an example measurement: a publish costs 100, and each entry 2 without a cost
// for the API process. In long slices, of four thousand inboxes, entries cost less.
func published(count, entries int64) capacity.Publishes {
	all := 2 * float64(entries) / float64(count)
	each := capacity.Cost{Statements: all, Commands: all, Worker: all, Redis: all, Postgres: all}
	if entries/count >= 256_000 {
		each = capacity.Cost{Statements: all / 4, Commands: 0.9925 * all, Worker: 0.625 * all, Redis: 0.9475 * all, Postgres: 0.55 * all}
	}
	return capacity.Publishes{Count: count, Entries: entries, Each: each.Plus(cost(100))}
}

// point returns an example measurement.
func point(users int64) capacity.Point {
	tables := map[string]capacity.Table{}
	for name, rows := range map[string]int64{
		"users": users, "user_counters": users, "user_words": 4 * users, "follows": 20 * users, "contents": 2 * users,
		"content_counters": 2 * users, "reactions": users, "events": 1000, "plans": 1000, "plan_slices": 2000,
	} {
		tables[name] = capacity.Table{Rows: rows, Bytes: 100 * rows}
	}
	line := capacity.Line{Base: 200, PerEntry: 15}
	return capacity.Point{
		Users: users, Follows: 20 * users, Contents: 2 * users, Tables: tables, Inboxes: users, Entries: 37 * users,
		RedisBytes: int64(float64(users) * line.At(37)), Built: line, Room: 1.5,
		Idle: cost(10), First: cost(50), Again: cost(20), Absent: cost(200),
		Ordinary: published(1000, 20_000), Star: published(3, 3*users),
	}
}

func model(t *testing.T) capacity.Model {
	t.Helper()
	m, err := capacity.NewModel(capacity.Points{point(10_000), point(100_000)})
	check(t, err)
	return m
}

// Fit recovers the coefficients from points that follow the model, also with long slices.
func TestFit(t *testing.T) {
	c := model(t).Coefficients
	long, err := capacity.Fit(capacity.Points{point(10_000), point(1_000_000)})
	check(t, err)
	entry := cost(2)
	entry.API = 0
	rows := map[string]float64{}
	for name := range point(1000).Tables {
		rows[name] = 100
	}
	want := capacity.Coefficients{
		RowBytes: rows, WordsPerUser: 4, Inbox: capacity.Line{Base: 200, PerEntry: 15}, Room: 1.5,
		Idle: cost(10), First: cost(50), Again: cost(20), Absent: cost(200), Publish: cost(100), Entry: entry,
	}
	near := cmp.Comparer(func(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 })
	for name, got := range map[string]capacity.Coefficients{"short": c, "long": long} {
		if diff := cmp.Diff(want, got, near); diff != "" {
			t.Errorf("the coefficients by %s slices (-want +got):\n%s", name, diff)
		}
	}
	if _, err := capacity.Fit(nil); err == nil {
		t.Error("nothing was measured, and there are coefficients")
	}
}

// Compare finds no error in a point that follows the model, and finds the errors of another.
func TestCompare(t *testing.T) {
	c := model(t).Coefficients
	for _, f := range capacity.Compare(c, capacity.DefaultLimits(), point(1_000_000)) {
		if !f.Within() {
			t.Errorf("%s: predicted %v, measured %v", f.Name, f.Predicted, f.Measured)
		}
	}
	other := point(1_000_000)
	other.First.Statements *= 2
	other.Again.Statements, other.Again.Worker = 0, 0
	off := 0
	for _, f := range capacity.Compare(c, capacity.DefaultLimits(), other) {
		if !f.Within() {
			off++
			near(t, f.Name, f.Off(), -0.5, 1e-9)
		}
	}
	if off != 1 {
		t.Errorf("%d figures are off, want the statements of a first read alone", off)
	}
}

// Each figure has the unit of its name. The expected values are computed by hand for a network of
// equal users.
func TestUnits(t *testing.T) {
	m := model(t)
	n := capacity.Network{Users: 864_000, Follows: 10, Popularity: 0, Breadth: 1.8, Contents: 1, Reactions: 3}
	h := capacity.Habits{Daily: 0.5, Monthly: 1, Kept: 0.25, Publishes: 1, Reads: 2, Peak: 2}
	f := m.Forecast(n, h)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"pages a second", f.Reads, 10},
		{"publishes a second", f.Publishes, 10},
		{"entries of a publish", f.Pushed.Entries, 10},
		{"slices of a publish", f.Pushed.Slices, 1},
		{"pushes a second", f.Pushes, 100},
		{"rows of follows", float64(f.Tables["follows"].Rows), 8_640_000},
		{"bytes of reactions", float64(f.Tables["reactions"].Bytes), 259_200_000},
		{"rows of plans", float64(f.Tables["plans"].Rows), 7 * 864_000},
		{"inboxes", f.Inboxes, 216_000},
		// Ten pages at 20 and ten publishes at 100 + 10 × 2, doubled at the peak, plus one idle
		// worker.
		{"commands a second", f.Second.Commands, 2*(10*20+10*120) + 10},
	} {
		near(t, c.name, c.got, c.want, 0.001)
	}
	near(t, "bytes of Redis", f.RedisBytes, 216_000*1.5*(200+15*n.InboxEntries(m.Limits)), 1e-9)
	if f.APICores != 1 || f.WorkerCores != 1 || f.RedisShards != 1 || f.SQLServers != 1 {
		t.Errorf("a hundredth of a processor takes %d, %d, %d and %d servers", f.APICores, f.WorkerCores, f.RedisShards, f.SQLServers)
	}
}
