package bench

import "fmt"

// Tolerance is how much worse than a stored result a ratio may be before it is worth a
// word. Ratios of a short run on a machine that others use too vary by a fifth.
const Tolerance = 0.25

// Warnings says which ratios have become worse than those of an earlier report by more than
// the tolerance, a line for each.
func Warnings(before, now *Report, tolerance float64) []string {
	old := map[string]Row{}
	for _, row := range before.Rows {
		old[row.ID] = row
	}
	var out []string
	for _, row := range now.Rows {
		was, ok := old[row.ID]
		worse := row.Median < was.Median*(1-tolerance)
		if row.AtMost {
			worse = row.Median > was.Median*(1+tolerance)
		}
		if ok && worse {
			out = append(out, fmt.Sprintf("%s: %s, and it was %s at commit %s",
				row.What, Number(row.Median), Number(was.Median), before.Commit))
		}
	}
	return out
}
