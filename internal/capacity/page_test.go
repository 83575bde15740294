package capacity_test

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/bench"
	"github.com/tideline-feeds/tideline/internal/capacity"
)

// The page that the tables are shown on, and the points that they are made of.
const (
	scalingPage = "../../docs/scaling.md"
	scalingData = "../../docs/benchmarks/scaling.json"
)

// update makes TestThePageShowsWhatTheModelSays write the page instead of comparing it.
var update = flag.Bool("update", false, "write docs/scaling.md anew")

// measured are the points that are stored.
func measured(t *testing.T) capacity.Points {
	t.Helper()
	raw, err := os.ReadFile(scalingData)
	if err != nil {
		t.Fatal(err)
	}
	var points capacity.Points
	if err := json.Unmarshal(raw, &points); err != nil {
		t.Fatal(err)
	}
	return points
}

// Every table of the page is what the model makes of the stored points.
func TestThePageShowsWhatTheModelSays(t *testing.T) {
	page, err := os.ReadFile(scalingPage)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := capacity.Pages(measured(t))
	if err != nil {
		t.Fatal(err)
	}
	want := string(page)
	for name, text := range tables {
		if want, err = bench.Fill(want, name, text); err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		if err := os.WriteFile(scalingPage, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(page)); diff != "" {
		t.Errorf("docs/scaling.md is not what the model says; renew it by go test ./internal/capacity -run ThePage -update (-want +got):\n%s", diff)
	}
}

// Coefficients of smaller networks tell bytes, rows, commands and statements of the largest
// that was measured, within a fifth.
func TestTheLargestPointIsPredictedByTheSmallerOnes(t *testing.T) {
	points := measured(t)
	if len(points) < 2 {
		t.Fatalf("there are %d points, and it takes two at least", len(points))
	}
	c, err := capacity.Fit(points.Below())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range capacity.Compare(c, capacity.DefaultLimits(), points[len(points)-1]) {
		if f.Kind == capacity.Exact && !f.Within() {
			t.Errorf("%s: predicted %.3g, measured %.3g, off by %+.0f %%", f.Name, f.Predicted, f.Measured, 100*f.Off())
		}
	}
}
