package bench_test

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// The pages that show figures, and the folder of the stored results.
const (
	speedPage  = "../docs/speed.md"
	tablesPage = results + "README.md"
	growthPage = results + "capacity.md"
	results    = "../docs/benchmarks/"
)

// speedPageWords is the maximum length of the page, a ten-minute read including tables.
const speedPageWords = 1500

// pageOf returns the page with the table of a result. speed.md has only the comparisons, so that it
// stays short.
func pageOf(name string) string {
	switch name {
	case "speed", "writes":
		return speedPage
	case "capacity":
		return growthPage
	default:
		return tablesPage
	}
}

// update makes TestPage_ShowsStoredMeasurements write the pages instead of comparing them.
var update = flag.Bool("update", false, "renew docs/speed.md and docs/benchmarks/README.md")

// Every table matches its stored result and names that result's commit.
func TestPage_ShowsStoredMeasurements(t *testing.T) {
	var report, bound, changes bench.Report
	var growth bench.Growth
	var cpuTimes bench.CPUTimes
	var ablation bench.Ablation
	var writes bench.Writes
	read(t, "speed.json", &report)
	read(t, "bound.json", &bound)
	read(t, "changes.json", &changes)
	read(t, "profile.json", &cpuTimes)
	read(t, "ablation.json", &ablation)
	read(t, "capacity.json", &growth)
	read(t, "writes.json", &writes)
	for name, want := range map[string]string{
		"speed": report.Markdown(), "bound": bound.Markdown(), "capacity": growth.Markdown(), "profile": cpuTimes.Markdown(), "ablation": ablation.Markdown(),
		"writes": writes.Markdown(), "changes": changes.Markdown(),
	} {
		wantTable(t, name, want)
	}
}

// wantTable compares the table of a result with its page, or updates the page.
func wantTable(t *testing.T, name, table string) {
	t.Helper()
	page, err := os.ReadFile(pageOf(name))
	check(t, err)
	want, err := bench.Fill(string(page), name, table)
	check(t, err)
	if *update {
		check(t, os.WriteFile(pageOf(name), []byte(want), 0o600))
		return
	}
	if diff := cmp.Diff(want, string(page)); diff != "" {
		t.Errorf("%s does not show the results in docs/benchmarks; renew it by scripts/gotest.sh -run TestPage ./bench -update (-want +got):\n%s", pageOf(name), diff)
	}
}

func TestPage_TakesTenMinutesToRead(t *testing.T) {
	testenv.Checkout(t)
	page, err := os.ReadFile(speedPage)
	check(t, err)
	if words := len(strings.Fields(string(page))); words > speedPageWords {
		t.Errorf("docs/speed.md has %d words, more than %d; move what few readers need to docs/benchmarks", words, speedPageWords)
	}
}

// Every picture and the readable table show the stored figures. -update writes them together with
// the page.
func TestPage_PicturesShowStoredMeasurements(t *testing.T) {
	var growth bench.Growth
	read(t, "capacity.json", &growth)
	files, err := filesOf(&growth)
	check(t, err)
	for name, want := range files {
		if *update {
			check(t, os.WriteFile(results+name, []byte(want), 0o600))
		}
		if got, err := os.ReadFile(results + name); err != nil || string(got) != want {
			t.Errorf("%s does not show the results in capacity.json (error %v); renew it by scripts/gotest.sh -run TestPage ./bench -update", name, err)
		}
	}
}

// filesOf returns the files of a growth besides the page, by name.
func filesOf(g *bench.Growth) (map[string]string, error) {
	var table strings.Builder
	if err := g.Table(&table); err != nil {
		return nil, err
	}
	out := map[string]string{"capacity.txt": table.String()}
	for name, chart := range g.Charts() {
		var svg strings.Builder
		if err := chart.WriteSVG(&svg); err != nil {
			return nil, err
		}
		out[name] = svg.String()
	}
	return out, nil
}

// Stored ratios match the stored figures, and a full result has at least five rounds.
func TestPage_StoredRatiosMatchFigures(t *testing.T) {
	for file, goals := range map[string][]bench.Goal{"speed.json": bench.Goals(), "bound.json": bench.Bounds(), "changes.json": bench.Changes()} {
		var stored bench.Report
		read(t, file, &stored)
		again := stored
		again.Compare(goals)
		if diff := cmp.Diff(again.Rows, stored.Rows); diff != "" {
			t.Errorf("the rows of %s differ (-want +got):\n%s", file, diff)
		}
		for _, row := range stored.Rows {
			if len(row.Ratios) < 5 || stored.Quick {
				t.Errorf("%s has %d rounds", row.What, len(row.Ratios))
			}
		}
	}
}

func read(t *testing.T, name string, into any) {
	t.Helper()
	testenv.Checkout(t) // the pages are in another module
	raw, err := os.ReadFile(results + name)
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	check(t, err)
}

// Fill replaces the text between the comments and keeps the rest of the page.
func TestFill(t *testing.T) {
	page := "a\n<!-- begin x -->\nold\nlines\n<!-- end x -->\nb\n"
	got, err := bench.Fill(page, "x", "new\n")
	if want := "a\n<!-- begin x -->\nnew\n<!-- end x -->\nb\n"; got != want || err != nil {
		t.Errorf("the page is %q, %v", got, err)
	}
	for _, broken := range []string{"a\n", "<!-- begin x -->\n", "<!-- end x -->\n<!-- begin x -->\n"} {
		if _, err := bench.Fill(broken, "x", "new\n"); err == nil {
			t.Errorf("Fill accepts the page %q", broken)
		}
	}
}
