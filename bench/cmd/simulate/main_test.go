package main

import (
	"io"
	"strings"
	"testing"
)

const points = "../../../docs/benchmarks/scaling.json"

// The command prints a forecast and a simulation for the given number of users.
func TestSimulate_PrintsForecastAndGame(t *testing.T) {
	var out strings.Builder
	if err := run([]string{"-points", points, "-users", "250000", "-at-once", "3"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| users | 250 k |", "shards of Redis", "1 h around the peak, 3 slices at once", "from publish to last inbox"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, out.String())
		}
	}
	out.Reset()
	if err := run([]string{"-points", points, "-hours", "0"}, &out, io.Discard); err != nil || strings.Contains(out.String(), "simulated") {
		t.Errorf("-hours=0 runs a simulation, or fails with %v:\n%s", err, out.String())
	}
}

// docs/scaling.md runs the command in the folder bench.
func TestSimulate_FindsMeasurementFromBench(t *testing.T) {
	t.Chdir("../..")
	if err := run([]string{"-hours", "0"}, io.Discard, io.Discard); err != nil {
		t.Error(err)
	}
}

// Impossible settings return an error with a reason.
func TestSimulate_RefusesImpossibleSettings(t *testing.T) {
	for _, args := range [][]string{
		{"-users", "0"},
		{"-hours", "25"},
		{"-hours", "-1"},
		{"-cap", "0"},
		{"-busy", "0"},
		{"-busy", "1.1"},
		{"-peak", "5"},
		{"-popularity", "1"},
		{"-nonsense"},
		{"more"},
		{"-points", "nowhere.json"},
		{"-points", "main.go"},
	} {
		if err := run(append([]string{"-points", points}, args...), io.Discard, io.Discard); err == nil {
			t.Errorf("simulate accepts %v", args)
		}
	}
}
