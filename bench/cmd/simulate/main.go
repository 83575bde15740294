// Simulate predicts the load and size of a network and simulates a part of its day:
//
//	simulate -users 5000000 -follows 80 -peak 2.5
//	simulate -users 1000000 -at-once 2 -hours 24
//
// It uses the last measurement, docs/benchmarks/scaling.json, relative to the folder bench (go run
// -C bench ./cmd/simulate). docs/scaling.md explains the figures and their accuracy; -h lists the
// flags.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/tideline-feeds/tideline/bench/capacity"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

// settings are the values of the flags.
type settings struct {
	points  string
	network capacity.Network
	habits  capacity.Habits
	limits  capacity.Limits
	fleet   capacity.Fleet
	atOnce  int
	hours   float64
	seed    uint64
}

// parse reads the flags. The defaults are those of docs/scaling.md.
func parse(args []string, usage io.Writer) (settings, error) {
	s := settings{
		network: capacity.Grown(capacity.Sizes()[0]), habits: capacity.Ordinary(),
		limits: capacity.DefaultLimits(), fleet: capacity.DefaultFleet(),
	}
	flags := flag.NewFlagSet("simulate", flag.ContinueOnError)
	flags.SetOutput(usage)
	flags.StringVar(&s.points, "points", "../docs/benchmarks/scaling.json", "file with the measurement")
	flags.Int64Var(&s.network.Users, "users", s.network.Users, "number of users")
	flags.IntVar(&s.limits.InboxCap, "cap", s.limits.InboxCap, "maximum entries of an inbox")
	flags.IntVar(&s.limits.PushThreshold, "threshold", s.limits.PushThreshold, "number of followers above which posts go to active followers only")
	flags.IntVar(&s.fleet.Replicas, "replicas", s.fleet.Replicas, "replicas of each shard of Redis")
	flags.IntVar(&s.atOnce, "at-once", 0, "slices pushed at once; 0 for as many as the forecast fleet can push")
	flags.Uint64Var(&s.seed, "seed", 1, "seed of the random day")
	s.shares(flags)
	flags.Float64Var(&s.hours, "hours", 1, "hours around the peak to simulate; 24 is a day, 0 none")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return s, s.check()
}

// shares defines the flags with fractional values.
func (s *settings) shares(flags *flag.FlagSet) {
	for _, f := range []struct {
		to          *float64
		name, usage string
	}{
		{&s.network.Follows, "follows", "mean number of follows of a user"},
		{&s.network.Popularity, "popularity", "exponent of the law of followers by rank, from 0 to below 1"},
		{&s.network.Breadth, "breadth", "shape of the Pareto law of follows, above 1"},
		{&s.network.Contents, "contents", "posts of each user"},
		{&s.network.Reactions, "reactions", "likes and favorites of each post"},
		{&s.habits.Daily, "daily", "share of users who are active on a day"},
		{&s.habits.Monthly, "monthly", "share of users who are active within thirty days"},
		{&s.habits.Kept, "kept", "share of users who have an inbox"},
		{&s.habits.Publishes, "publishes", "posts per day of each user"},
		{&s.habits.Reads, "reads", "pages per day of each active user"},
		{&s.habits.First, "first", "share of pages for viewers new to the process"},
		{&s.habits.Returns, "returns", "share of users who return on a day and have no inbox"},
		{&s.habits.Peak, "peak", "load of the busiest minute of the day, relative to the mean"},
		{&s.fleet.Busy, "busy", "maximum share of busy processors of a server"},
	} {
		flags.Float64Var(f.to, f.name, *f.to, f.usage)
	}
}

// check returns an error if a setting is out of range.
func (s settings) check() error {
	if s.hours < 0 || s.hours > 24 {
		return fmt.Errorf("-hours must be from 0 to 24, not %v", s.hours)
	}
	if s.limits.InboxCap < 1 || s.fleet.Busy <= 0 || s.fleet.Busy > 1 {
		return fmt.Errorf("-cap must be at least 1, not %d, and -busy above 0 and at most 1, not %v", s.limits.InboxCap, s.fleet.Busy)
	}
	return s.network.Check()
}

// run computes the forecast, runs the simulation and prints both.
func run(args []string, out, usage io.Writer) error {
	s, err := parse(args, usage)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(s.points)
	if err != nil {
		return err
	}
	var points capacity.Points
	if err := json.Unmarshal(raw, &points); err != nil {
		return fmt.Errorf("%s: %w", s.points, err)
	}
	m, err := capacity.NewModel(points)
	if err != nil {
		return fmt.Errorf("%s: %w", s.points, err)
	}
	m.Limits, m.Fleet = s.limits, s.fleet
	return s.print(m, out)
}

// print writes the forecast and the result of the simulation.
func (s settings) print(m capacity.Model, out io.Writer) error {
	f := m.Forecast(s.network, s.habits)
	if _, err := fmt.Fprint(out, capacity.Forecasts([]capacity.Forecast{f}, s.fleet.Replicas)); err != nil || s.hours == 0 {
		return err
	}
	atOnce := s.atOnce
	if atOnce == 0 {
		atOnce = m.AtOnce(f)
	}
	seconds := s.hours * time.Hour.Seconds()
	p, err := m.Simulate(capacity.Simulation{
		Network: s.network, Habits: s.habits, Start: capacity.Peak(seconds), Seconds: seconds, AtOnce: atOnce, Seed: s.seed,
	})
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%v h around the peak, %d slices at once", s.hours, atOnce)
	_, err = fmt.Fprint(out, "\n"+capacity.SimulationTable([]string{name}, []capacity.SimulationResult{p}))
	return err
}
