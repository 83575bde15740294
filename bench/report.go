package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Report is what one run has measured, and where and how.
type Report struct {
	Commit  string `json:"commit"`
	Command string `json:"command"`
	Date    string `json:"date"`
	Machine string `json:"machine"`
	// Quick says that rounds were few and short: too few for anything but a look.
	Quick bool `json:"quick,omitempty"`
	// Figures are what each contender has reached, round by round.
	Figures map[string][]float64 `json:"figures"`
	// Rows are the comparisons that could be made of them.
	Rows []Row `json:"rows"`
}

// Row is a comparison that was made.
type Row struct {
	ID   string  `json:"id"`
	What string  `json:"what"`
	Goal float64 `json:"goal"`
	// AtMost says that less is better.
	AtMost bool `json:"atMost,omitempty"`
	// Ratios are those of each round, and Median is the one in the middle.
	Ratios []float64 `json:"ratios"`
	Median float64   `json:"median"`
}

// Met says whether the goal is reached.
func (r Row) Met() bool {
	if r.AtMost {
		return r.Median <= r.Goal
	}
	return r.Median >= r.Goal
}

// Compare makes the rows of the figures. Ratios are those of figures of one round, so what
// slows the machine down for a while slows both down. A comparison without figures is left
// out.
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

// Median returns the number in the middle, or the mean of the two there. There must be one.
func Median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

// Table writes a readable table, with the median, the least and the greatest ratio of all rounds.
func (r *Report) Table(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%s\ncommit %s, %s\n%s\n\n", r.Command, r.Commit, r.Date, r.Machine); err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	lines := []string{"what\tgoal\tmedian\trounds\treached"}
	for _, row := range r.Rows {
		lines = append(lines, fmt.Sprintf("%s\t%s %s\t%s\t%s … %s\t%s", row.What, row.sign(), Number(row.Goal), Number(row.Median),
			Number(slices.Min(row.Ratios)), Number(slices.Max(row.Ratios)), row.reached()))
	}
	if _, err := fmt.Fprintln(t, strings.Join(lines, "\n")); err != nil {
		return err
	}
	return t.Flush()
}

// Number writes a figure with three digits that mean something.
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
