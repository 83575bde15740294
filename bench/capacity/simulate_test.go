package capacity_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/bench/capacity"
)

// simulation returns ten minutes of the peak of a network of a million users.
func simulation(atOnce int) capacity.Simulation {
	const seconds = 600
	return capacity.Simulation{
		Network: capacity.Grown(1_000_000), Habits: capacity.Ordinary(),
		Start: capacity.Peak(seconds), Seconds: seconds, AtOnce: atOnce, Seed: 7,
	}
}

// slow returns a model with entries so expensive that slots are busy.
func slow(t *testing.T) capacity.Model {
	t.Helper()
	m := model(t)
	m.Entry = cost(600)
	return m
}

func simulate(t *testing.T, m capacity.Model, g capacity.Simulation) capacity.SimulationResult {
	t.Helper()
	p, err := m.Simulate(g)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The rate of publishes at the peak is the mean times Habits.Peak. Over a whole day it is the mean.
func TestDay_HasItsMeanAndPeak(t *testing.T) {
	m, g := model(t), simulation(8)
	rate := float64(g.Network.Users) * g.Habits.Publishes / 86_400
	near(t, "publishes at the peak", float64(simulate(t, m, g).Publishes), rate*g.Habits.Peak*g.Seconds, 0.05)
	g.Start, g.Seconds, g.Network.Users = 0, 86_400, 100_000
	near(t, "publishes of a day", float64(simulate(t, m, g).Publishes), 20_000, 0.03)
}

// The pushed entries match the forecast, except for random differences of the most followed users.
func TestSimulate_PushesWhatTheForecastSays(t *testing.T) {
	m, g := model(t), simulation(8)
	g.Start, g.Seconds = 0, 86_400
	g.Network.Users, g.Network.Popularity = 200_000, 0.3
	p, f := simulate(t, m, g), m.Forecast(g.Network, g.Habits)
	near(t, "entries", float64(p.Entries)/86_400, f.Pushes, 0.05)
	near(t, "slices", float64(p.Slices), float64(p.Publishes)*f.Pushed.Slices, 0.05)
}

// Busy is the ratio of work to available slot time, and equal simulations have equal results.
func TestBusySlots(t *testing.T) {
	m, g := slow(t), simulation(8)
	p := simulate(t, m, g)
	if again := simulate(t, m, g); again != p {
		t.Errorf("the same simulation has two results:\n%s", cmp.Diff(p, again))
	}
	// An entry takes 600 µs of each process. A tenth of PostgreSQL's part is for the plan, which
	// uses no slot.
	work := 2.9e-6 * 600 * float64(p.Entries)
	near(t, "busy", p.Busy, work/g.Seconds/8, 0.001)
}

// More slots never delay a post, and with enough slots no slice waits.
func TestSimulate_MoreSlotsAreNeverSlower(t *testing.T) {
	m := slow(t)
	before := simulate(t, m, simulation(1))
	for atOnce := 2; atOnce <= 64; atOnce *= 2 {
		p := simulate(t, m, simulation(atOnce))
		if p.P50 > before.P50 || p.P99 > before.P99 || p.Longest > before.Longest || p.Waited > before.Waited || p.Queued > before.Queued {
			t.Errorf("with %d slots: %+v, with half of them: %+v", atOnce, p, before)
		}
		before = p
	}
	if p := simulate(t, m, simulation(100_000)); p.Waited != 0 || p.Queued != 0 {
		t.Errorf("slices wait although each has a slot: %+v", p)
	}
}

// The median is below the 99th percentile, that below the maximum, and posts over the threshold
// take longer.
func TestSimulate_TimesAreOrdered(t *testing.T) {
	m := slow(t)
	rapid.Check(t, func(t *rapid.T) {
		g := simulation(rapid.IntRange(1, 50).Draw(t, "slots"))
		g.Seed, g.Seconds = rapid.Uint64().Draw(t, "seed"), 60
		p, err := m.Simulate(g)
		if err != nil || p.P50 > p.P99 || p.P99 > p.Longest || p.BigP50 > p.BigP99 || p.BigP99 > p.Longest {
			t.Errorf("%+v, %v", p, err)
		}
	})
}

// Impossible habits return an error, and a day without publishes is empty.
func TestSimulate_RefusesImpossibleSettings(t *testing.T) {
	m := model(t)
	for _, change := range []func(*capacity.Simulation){
		func(g *capacity.Simulation) { g.Habits.Peak = 0.9 },
		func(g *capacity.Simulation) { g.Habits.Peak = 4 },
		func(g *capacity.Simulation) { g.AtOnce = 0 },
	} {
		g := simulation(1)
		change(&g)
		if _, err := m.Simulate(g); err == nil {
			t.Errorf("an impossible simulation runs: %+v", g)
		}
	}
	g := simulation(1)
	g.Habits.Publishes = 0
	if p := simulate(t, m, g); p != (capacity.SimulationResult{}) {
		t.Errorf("without publishes: %+v", p)
	}
}

// If all users have equally many followers, a single post on one slot takes its plan and its
// slices in sequence. The plan takes 3 × 100 µs and half of 2 × 20,000 µs, and the slices take
// 2.5 × 2 × 20,000 µs.
func TestSimulate_OnePostTakesPlanAndSlices(t *testing.T) {
	m, g := model(t), simulation(1)
	g.Network = capacity.Network{Users: 100_000, Follows: 20_000, Breadth: 1.8}
	g.Habits.Publishes, g.Habits.Monthly, g.Seconds = 0.001, 1, 86_400
	g.Start = 0
	p := simulate(t, m, g)
	near(t, "the median", p.P50, 300e-6+20_000e-6+100_000e-6, 1e-6)
	if p.BigP50 != p.P50 || p.Slices != 20*p.Publishes {
		t.Errorf("not all publishes are above the threshold with twenty slices: %+v", p)
	}
}
