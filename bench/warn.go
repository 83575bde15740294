package bench

import "fmt"

// Tolerance is how much worse a ratio may be than the stored result without a warning. Ratios of a
// short run on a shared machine vary by a fifth.
const Tolerance = 0.25

// Warnings returns one line for each ratio that is worse than in an earlier report by more than the
// tolerance.
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
			out = append(out, fmt.Sprintf("%s: %s, was %s at commit %s",
				row.What, Number(row.Median), Number(was.Median), before.Commit))
		}
	}
	return out
}
