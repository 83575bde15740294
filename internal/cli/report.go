package cli

import (
	"encoding/json"
	"io"
	"text/tabwriter"
	"time"
)

// print prints what a command reports: v as JSON for programs, or words for people. Tabs separate
// the columns of words.
func (o output) print(asJSON bool, v any, words func(out io.Writer)) error {
	if asJSON {
		enc := json.NewEncoder(o.out)
		enc.SetIndent("", "  ")
		return enc.Encode(v)
	}
	out := tabwriter.NewWriter(o.out, 0, 0, 2, ' ', 0)
	words(out)
	return out.Flush()
}

func timeText(millis int64) string { return time.UnixMilli(millis).UTC().Format(time.RFC3339) }

// millisText returns a duration in milliseconds for people.
func millisText(millis int64) string { return (time.Duration(millis) * time.Millisecond).String() }
