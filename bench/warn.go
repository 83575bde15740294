package bench

import "fmt"

// Tolerance is how much worse a median of nine quick rounds may be than another one without a
// warning. The rounds themselves vary by a fifth on a shared machine.
const Tolerance = 0.2

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
