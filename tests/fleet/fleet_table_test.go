package fleet

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/tests/harness"
)

// faultTable collects the figures of faults. It may be used by several tests at a time.
type faultTable struct {
	mu    sync.Mutex
	rows  []faultRow
	sums  []verifiedRow
	notes []string
}

// faultRow is a kind of fault, how often it was made, and its worst figures.
type faultRow struct {
	fleet, what string
	times       int
	// gap is the longest time without a response, errors the time of failing requests after the
	// fault, and recovered the time until everything from before is pushed.
	gap, errors, recovered time.Duration
}

// verifiedRow is the result of the comparison of one fleet.
type verifiedRow struct {
	fleet               string
	responses           map[string]int
	posts, pages, wrong int
	harness.Figures
}

// fault adds a fault to the row of its name.
func (t *faultTable) fault(row faultRow) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, old := range t.rows {
		if old.what == row.what && old.fleet == row.fleet {
			t.rows[i].times += row.times
			t.rows[i].gap = max(old.gap, row.gap)
			t.rows[i].errors = max(old.errors, row.errors)
			t.rows[i].recovered = max(old.recovered, row.recovered)
			return
		}
	}
	t.rows = append(t.rows, row)
}

func (t *faultTable) verified(row verifiedRow) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sums = append(t.sums, row)
}

// note adds a sentence to the figures.
func (t *faultTable) note(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.notes = append(t.notes, fmt.Sprintf(format, args...))
}

// String returns the tables in Markdown.
func (t *faultTable) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	b.WriteString("| fleet | fault | times | longest time without a response | requests failed after its end for | all pushed after |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, r := range t.rows {
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %s |\n", r.fleet, r.what, r.times, seconds(r.gap), seconds(r.errors), seconds(r.recovered))
	}
	b.WriteString("\n| fleet | posts acknowledged | pages judged under load | wrong | entries in all feeds | missing | extra | in another order | dispatches per slice | responses |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, s := range t.sums {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d | %.3f | %s |\n", s.fleet, s.posts, s.pages, s.wrong,
			s.Entries, s.Missing, s.Extra, s.Misplaced, s.Dispatches(), strings.Trim(fmt.Sprint(s.responses), "map[]"))
	}
	for _, note := range t.notes {
		b.WriteString("\n" + note + "\n")
	}
	return b.String()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

// fleetPage has the figures of the last full run.
const fleetPage = "docs/benchmarks/fleet.md"

// keep logs the tables. After a full run it also writes them to the page, even if a figure is too
// high.
func (t *faultTable) keep(test *testing.T) {
	test.Helper()
	test.Logf("\n%s", t)
	if !harness.Full() {
		return
	}
	commit, err := exec.CommandContext(context.Background(), "git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		test.Log(err)
	}
	text := fmt.Sprintf(`# A fleet under faults

Two APIs and two workers serve clients that publish, delete, follow, unfollow, mute and read, while something is broken. [operations.md](../operations.md#faults) says what each fault means. Every row has the worst of all times.

| measured | |
| --- | --- |
| date | %s |
| machine | %s, %d cores, shared with the load |
| command | `+"`make chaos`"+` at commit %s |

Long times in the last column are pushes of the last ten seconds that run again because Redis may have lost them. Pages are right meanwhile. Rows of kills, masters and networks include those of the soak.

%s`, time.Now().UTC().Format("2 January 2006"), runtime.Version(), runtime.NumCPU(), cmp.Or(strings.TrimSpace(string(commit)), "unknown"), t)
	if err := os.WriteFile(fleetPage, []byte(text), 0o600); err != nil {
		test.Error(err)
	}
}
