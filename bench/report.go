package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Report is the result of one run, with its place and method.
type Report struct {
	Commit  string `json:"commit"`
	Command string `json:"command"`
	Date    string `json:"date"`
	Machine string `json:"machine"`
	// Quick marks a run with few short rounds, which is only a rough check.
	Quick bool `json:"quick,omitempty"`
	// Figures are the results of each contender by round.
	Figures map[string][]float64 `json:"figures"`
	// Rows are the comparisons of these figures.
	Rows []Row `json:"rows"`
}

// Row is the result of a comparison.
type Row struct {
	ID   string  `json:"id"`
	What string  `json:"what"`
	Goal float64 `json:"goal"`
	// AtMost marks that less is better.
	AtMost bool `json:"atMost,omitempty"`
	// Ratios are the ratios by round, and Median is their median.
	Ratios []float64 `json:"ratios"`
	Median float64   `json:"median"`
}

// Met returns whether the goal is met.
func (r Row) Met() bool {
	if r.AtMost {
		return r.Median <= r.Goal
	}
	return r.Median >= r.Goal
}

// Add adds the rounds of another run of the same commit on the same machine. Call Compare afterwards.
func (r *Report) Add(other *Report) {
	figures := r.Figures
	*r = *other
	r.Figures = map[string][]float64{}
	for _, rounds := range []map[string][]float64{figures, other.Figures} {
		for contender, results := range rounds {
			r.Figures[contender] = append(r.Figures[contender], results...)
		}
	}
}

// Compare computes the rows. It takes ratios within a round, so that a temporary slowdown affects
// both figures. It omits comparisons without figures.
func (r *Report) Compare(goals []Goal) {
	r.Rows = nil
	for _, g := range goals {
		over, under := r.Figures[g.Over], r.Figures[g.Under]
		row := Row{ID: g.ID, What: g.What, Goal: g.Goal, AtMost: g.AtMost}
		for i := range over {
			switch {
			case g.Under == "":
				row.Ratios = append(row.Ratios, over[i])
			case i < len(under):
				row.Ratios = append(row.Ratios, over[i]/under[i])
			}
		}
		if len(row.Ratios) > 0 {
			row.Median = Median(row.Ratios)
			r.Rows = append(r.Rows, row)
		}
	}
}

// Median returns the median. The list must not be empty.
func Median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

// Table writes a readable table with the median, minimum and maximum ratio of all rounds.
func (r *Report) Table(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%s\ncommit %s, %s\n%s\n\n", r.Command, r.Commit, r.Date, r.Machine); err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	lines := []string{"what\tgoal\tmedian\trange of rounds\treached"}
	for _, row := range r.Rows {
		lines = append(lines, fmt.Sprintf("%s\t%s %s\t%s\t%s … %s\t%s", row.What, row.sign(), Number(row.Goal), Number(row.Median),
			Number(slices.Min(row.Ratios)), Number(slices.Max(row.Ratios)), row.reached()))
	}
	if _, err := fmt.Fprintln(t, strings.Join(lines, "\n")); err != nil {
		return err
	}
	return t.Flush()
}

// Number formats a figure with three significant digits.
func Number(f float64) string {
	switch {
	case f >= 100:
		return fmt.Sprintf("%.0f", f)
	case f >= 10:
		return fmt.Sprintf("%.1f", f)
	case f >= 1:
		return fmt.Sprintf("%.2f", f)
	}
	return fmt.Sprintf("%.3f", f)
}
