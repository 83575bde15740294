package capacity_test

import (
	"testing"

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

func simulate(t *testing.T, m capacity.Model, g capacity.Simulation) capacity.SimulationResult {
	t.Helper()
	p, err := m.Simulate(g)
	check(t, err)
	return p
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
