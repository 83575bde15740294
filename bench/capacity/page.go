package capacity

import (
	"fmt"
	"strings"
)

// simulatedPublishes is the approximate number of publishes in each simulation on the page. The
// 99th percentile then has hundreds of samples, and a simulation runs quickly.
const simulatedPublishes = 50_000

// Pages returns the tables of docs/scaling.md by name. It fits the coefficients to all points
// except the largest, and checks them against the largest.
func Pages(points Points) (map[string]string, error) {
	smaller := points.Below()
	m, err := NewModel(smaller)
	if err != nil {
		return nil, err
	}
	last := points[len(points)-1]
	list := m.Grow()
	simulations, err := m.simulations(list)
	if err != nil {
		return nil, err
	}
	return map[string]string{
		"coefficients": sources(smaller) + m.Markdown(),
		"check":        sources(Points{last}) + Comparisons(Compare(m.Coefficients, m.Limits, last)),
		"forecast":     Forecasts(list, m.Fleet.Replicas),
		"simulations":  simulations,
	}, nil
}

// Grow returns the forecasts of the page, in ascending order of users.
func (m Model) Grow() (out []Forecast) {
	for _, users := range Sizes() {
		out = append(out, m.Forecast(Grown(users), Ordinary()))
	}
	return out
}

// simulations runs the peak of each forecast with its predicted fleet, and the first forecast again
// with too few workers.
func (m Model) simulations(list []Forecast) (string, error) {
	var names []string
	var results []SimulationResult
	simulate := func(name string, f Forecast, atOnce int) error {
		seconds := min(daySeconds, simulatedPublishes/(f.Publishes*f.Habits.Peak))
		p, err := m.Simulate(Simulation{
			Network: f.Network, Habits: f.Habits, Start: Peak(seconds), Seconds: seconds, AtOnce: atOnce, Seed: 1,
		})
		names, results = append(names, name), append(results, p)
		return err
	}
	for _, f := range list {
		name := fmt.Sprintf("%s users, %d slices at once", Human(float64(f.Network.Users)), m.AtOnce(f))
		if err := simulate(name, f, m.AtOnce(f)); err != nil {
			return "", err
		}
	}
	if err := simulate(Human(float64(list[0].Network.Users))+" users, 1 slice at once", list[0], 1); err != nil {
		return "", err
	}
	return SimulationTable(names, results), nil
}

// sources lists the origin of each point.
func sources(points Points) string {
	var s strings.Builder
	for _, p := range points {
		fmt.Fprintf(&s, "- %s users: `%s` at commit %s, %s, on %s.\n", Human(float64(p.Users)), p.Command, p.Commit, p.Date, p.Machine)
	}
	return s.String() + "\n"
}
