package capacity_test

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/bench/capacity"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// The pages with the tables, and the points from which the tables are computed. scaling.md has only
// the forecast, so that it stays short.
const (
	scalingPage = "../../docs/scaling.md"
	modelPage   = pictures + "capacity.md"
	pictures    = "../../docs/benchmarks/"
	scalingData = pictures + "scaling.json"
)

// update makes TestPage_ShowsTheModel write the pages instead of comparing them.
var update = flag.Bool("update", false, "renew docs/scaling.md and docs/benchmarks/capacity.md")

// measured returns the stored points.
func measured(t *testing.T) capacity.Points {
	t.Helper()
	testenv.Checkout(t) // the pages are in another module
	raw, err := os.ReadFile(scalingData)
	check(t, err)
	var points capacity.Points
	check(t, json.Unmarshal(raw, &points))
	return points
}

// Every table of the pages matches the model of the stored points.
func TestPage_ShowsTheModel(t *testing.T) {
	tables, err := capacity.Pages(measured(t))
	check(t, err)
	for name, text := range tables {
		wantTable(t, name, text)
	}
}

// wantTable compares a table of the model with its page, or updates the page.
func wantTable(t *testing.T, name, table string) {
	t.Helper()
	file := modelPage
	if name == "forecast" {
		file = scalingPage
	}
	page, err := os.ReadFile(file)
	check(t, err)
	want, err := bench.Fill(string(page), name, table)
	check(t, err)
	if *update {
		check(t, os.WriteFile(file, []byte(want), 0o600))
		return
	}
	if diff := cmp.Diff(want, string(page)); diff != "" {
		t.Errorf("%s is not what the model says; renew it by scripts/gotest.sh -run TestPage ./bench/capacity -update (-want +got):\n%s", file, diff)
	}
}

// The charts of the page match the forecasts in its table.
func TestPage_PicturesShowTheModel(t *testing.T) {
	m, err := capacity.NewModel(measured(t).Below())
	check(t, err)
	for name, chart := range charts(m.Grow()) {
		var want strings.Builder
		check(t, chart.WriteSVG(&want))
		if *update {
			check(t, os.WriteFile(pictures+name, []byte(want.String()), 0o600))
		}
		if got, err := os.ReadFile(pictures + name); err != nil || string(got) != want.String() {
			t.Errorf("%s is not what the model says (error %v); renew it by scripts/gotest.sh -run TestPage ./bench/capacity -update", name, err)
		}
	}
}

// charts returns the charts by file name.
func charts(list []capacity.Forecast) map[string]bench.Chart {
	series := func(name string, of func(capacity.Forecast) float64) bench.Series {
		s := bench.Series{Name: name}
		for _, f := range list {
			s.Users, s.Figures = append(s.Users, float64(f.Network.Users)), append(s.Figures, of(f))
		}
		return s
	}
	const micros, giga = 1e6, 1e9
	// Labels alternate above and below the lines, so list close lines in their vertical order.
	return map[string]bench.Chart{
		"scaling-processors.svg": {Title: "What a grown network takes at its peak (model)", Unit: "processors busy", Series: []bench.Series{
			series("API", func(f capacity.Forecast) float64 { return f.Second.API / micros }),
			series("PostgreSQL", func(f capacity.Forecast) float64 { return f.Second.Postgres / micros }),
			series("workers", func(f capacity.Forecast) float64 { return f.Second.Worker / micros }),
			series("Redis", func(f capacity.Forecast) float64 { return f.Second.Redis / micros }),
		}},
		"scaling-bytes.svg": {Title: "What a grown network keeps (model)", Unit: "gigabytes", Series: []bench.Series{
			series("PostgreSQL", func(f capacity.Forecast) float64 { return f.SQLBytes / giga }),
			series("Redis", func(f capacity.Forecast) float64 { return f.RedisBytes / giga }),
		}},
	}
}

// Coefficients fitted to smaller networks predict the largest measured one within a fifth: bytes,
// rows, commands and statements.
func TestFit_PredictsTheLargestPoint(t *testing.T) {
	points := measured(t)
	if len(points) < 2 {
		t.Fatalf("there are %d points, and it takes two at least", len(points))
	}
	c, err := capacity.Fit(points.Below())
	check(t, err)
	for _, f := range capacity.Compare(c, capacity.DefaultLimits(), points[len(points)-1]) {
		if f.Kind == capacity.Exact && !f.Within() {
			t.Errorf("%s: predicted %.3g, measured %.3g, off by %+.0f %%", f.Name, f.Predicted, f.Measured, 100*f.Off())
		}
	}
}
