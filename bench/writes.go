package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// The units of figures of writes.
const (
	micros    = "µs"
	megabytes = "MB"
)

// WriteGoals returns the comparisons of writes in display order. Figures are the CPU time of an
// operation in all processes but the load generator, unless What says otherwise.
func WriteGoals() []Goal {
	goals := []Goal{
		{ID: "publish/sql", What: "publish to 15 followers / its three statements", Over: "publish-16", Under: "publish-16 sql", Goal: 2.5},
		{ID: "publish/peer", What: "publish to 15 followers / Mercurius with BullMQ", Over: "publish-16", Under: "publish-16 peer", Goal: 0.7},
		{ID: "publish-p50/sql", What: "publish, one connection, p50 / statements, p50", Over: "publish-1 p50", Under: "publish-1 sql p50", Goal: 5},
		{ID: "publish-1/publish-16", What: "publish, one connection / 16 connections", Over: "publish-1", Under: "publish-16", Goal: 1.3},
		{ID: "like/sql", What: "like / its two statements", Over: "like", Under: "like sql", Goal: 2.5},
		{ID: "follow/sql", What: "follow / its three statements", Over: "follow", Under: "follow sql", Goal: 2.5},
		{ID: "unknown/warm", What: "first page of an unknown viewer / warm page", Over: "unknown page", Under: "warm page", Goal: 2.5},
		{ID: "due/warm", What: "first page that renews a lease / warm page", Over: "due page", Under: "warm page", Goal: 2.5},
		{ID: "absent/warm", What: "first page with an inbox to build / warm page", Over: "absent page", Under: "warm page", Goal: 5},
		{ID: "warm/rest", What: "warm page / REST by hand", Over: "warm page", Under: "rest page", Goal: 1.8},
		{ID: "saturated/rest", What: "warm page, saturated / REST by hand", Over: "saturated page", Under: "saturated rest page", Goal: 1.8},
		{ID: "import/copy", What: "import / COPY of the same rows", Over: "import", Under: "copy", Goal: 1.5},
		{ID: "ingest/copy", What: "POST /ingest into an empty database / COPY of the same rows", Over: "ingest", Under: "copy ingested", Goal: 3.3},
		{ID: "mixed/peer", What: "mixed load / Mercurius with BullMQ", Over: "mixed", Under: "mixed peer", Goal: 0.2},
		{ID: "idle", What: "one second of an idle API and worker", Over: "idle", Goal: 15_000},
		{ID: "memory", What: "memory of an idle API process", Over: "memory", Goal: 45, Unit: megabytes},
		{ID: "memory-subscribers", What: "memory of one with 10,000 subscribers", Over: "memory subscribers", Goal: 300, Unit: megabytes},
	}
	for i := range goals {
		goals[i].AtMost = true
		if goals[i].Unit == "" {
			goals[i].Unit = micros
		}
	}
	return goals
}

// Writes is the result of a run that measures writes.
type Writes struct {
	Report
	// Parts divide the CPU time of a warm page under saturation by purpose.
	Parts []Part `json:"parts,omitempty"`
}

// Markdown returns the result for the documentation: its origin, a table, and the parts of a warm
// page. Ratios that miss their goal are bold.
func (w *Writes) Markdown() string {
	var s strings.Builder
	source(&s, w.Command, w.Commit, w.Date, w.Machine)
	s.WriteString("| what | Tideline | other | ratio | goal |\n| --- | --- | --- | --- | --- |\n")
	for _, g := range WriteGoals() {
		i := slices.IndexFunc(w.Rows, func(r Row) bool { return r.ID == g.ID })
		if i < 0 {
			continue
		}
		row := w.Rows[i]
		over, under, ratio, goal := quantity(Median(w.Figures[g.Over]), g.Unit), "", "", "≤ "+Number(g.Goal)
		result := &over
		if g.Under == "" {
			goal = "≤ " + quantity(g.Goal, g.Unit)
		} else {
			under, ratio = quantity(Median(w.Figures[g.Under]), g.Unit), Number(row.Median)
			result = &ratio
		}
		if !row.Met() {
			*result = "**" + *result + "**"
		}
		fmt.Fprintf(&s, "| %s | %s | %s | %s | %s |\n", g.What, over, under, ratio, goal)
	}
	w.writeParts(&s)
	return s.String()
}

// writeParts writes one sentence about the parts of a warm page.
func (w *Writes) writeParts(s *strings.Builder) {
	if len(w.Parts) == 0 {
		return
	}
	texts := make([]string, len(w.Parts))
	for i, p := range w.Parts {
		texts[i] = p.What + " " + quantity(p.Micros, micros)
	}
	fmt.Fprintf(s, "\nParts of a warm page, saturated: %s.\n", strings.Join(texts, ", "))
}

// Table writes the comparisons, and the median of each figure.
func (w *Writes) Table(out io.Writer) error {
	if err := w.Report.Table(out); err != nil {
		return err
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	lines := []string{"", "figure\tmedian\tleast\tgreatest"}
	for _, name := range slices.Sorted(maps.Keys(w.Figures)) {
		f := w.Figures[name]
		lines = append(lines, fmt.Sprintf("%s\t%s\t%s\t%s", name, Number(Median(f)), Number(slices.Min(f)), Number(slices.Max(f))))
	}
	if _, err := fmt.Fprintln(t, strings.Join(lines, "\n")); err != nil {
		return err
	}
	return t.Flush()
}

// quantity formats a figure with its unit. Long times are in milliseconds or seconds.
func quantity(f float64, unit string) string {
	if unit == micros {
		switch {
		case f >= 1e6:
			f, unit = f/1e6, "s"
		case f >= 1e3:
			f, unit = f/1e3, "ms"
		}
	}
	return Number(f) + " " + unit
}
