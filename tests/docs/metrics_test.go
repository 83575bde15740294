package docs

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

// expressions returns the Prometheus expressions of the dashboard and the alerts.
func expressions(t *testing.T) (all []string) {
	t.Helper()
	var board struct {
		Panels []struct {
			Targets []struct{ Expr string }
		}
	}
	harness.Check(t, json.Unmarshal([]byte(harness.Doc(t, "docs/grafana/dashboard.json")), &board))
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			all = append(all, target.Expr)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^ +expr: (.+)$`).FindAllStringSubmatch(harness.Doc(t, "docs/grafana/alerts.yml"), -1) {
		all = append(all, m[1])
	}
	return all
}

// The dashboard and the alerts use documented metrics only, and every metric is in one of them.
// TestDocs_ListEveryMetric of tests/e2e compares the documented metrics with a server's.
func TestDashboard_UsesDocumentedMetrics(t *testing.T) {
	known, asked := harness.DocumentedMetrics(t), map[string]bool{}
	name := regexp.MustCompile(`(tideline_\w+)(?:\{([^}]*)\})?`)
	for _, expr := range expressions(t) {
		for _, m := range name.FindAllStringSubmatch(expr, -1) {
			found, base := known[m[1]], m[1]
			for _, part := range []string{"_bucket", "_sum", "_count"} {
				if whole, is := strings.CutSuffix(m[1], part); is && known[whole].Type == "histogram" {
					found, base = known[whole], whole
				}
			}
			if found.Type == "" || found.Type == "histogram" && base == m[1] {
				t.Errorf("%s uses %s, which does not exist", expr, m[1])
			}
			asked[base] = true
			for _, l := range regexp.MustCompile(`(\w+)[=!]`).FindAllStringSubmatch(m[2], -1) {
				if !slices.Contains(found.Labels, l[1]) {
					t.Errorf("%s uses the label %s of %s, which has only %v", expr, l[1], base, found.Labels)
				}
			}
		}
	}
	// Cache sizes in entries and slice counts add little to bytes and deliveries; they are for
	// debugging.
	closer := []string{"tideline_cache_entries", "tideline_cache_evictions_total", "tideline_slices_pushed_total", "tideline_periodic_total"}
	for metric, m := range known {
		if slices.Contains(m.Labels, "job") || slices.Contains(m.Labels, "instance") {
			t.Errorf("labels of %s have names that Prometheus uses itself: %v", metric, m.Labels)
		}
		if !asked[metric] && !slices.Contains(closer, metric) {
			t.Errorf("neither the dashboard nor an alert uses %s", metric)
		}
	}
}
