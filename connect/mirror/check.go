package mirror

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// CheckResult is the result of a check of a mapping file and its source.
type CheckResult struct {
	Samples  Samples
	Findings []Finding
	// Owned are the types that the source must own.
	Owned feed.RecordTypes
	// Counters reports that records of type counters are made.
	Counters bool
}

// Check tries a mapping on the rows of a source, and compares the source with what a mirror needs.
func (m *Mapper) Check(ctx context.Context, q Querier, names Names, now time.Time) (CheckResult, error) {
	var r CheckResult
	var err error
	if r.Findings, err = m.Requirements(ctx, q, names); err != nil {
		return r, err
	}
	var made feed.RecordTypes
	for _, t := range m.Tables() {
		made = append(made, m.Types(t)...)
	}
	r.Owned = slices.DeleteFunc(feed.OwnedTypes(), func(t feed.RecordType) bool { return !made.Has(t) })
	r.Counters = made.Has(feed.RecordCounters)
	if slices.ContainsFunc(m.Tables(), func(t *Table) bool { return !t.Readable }) {
		return r, nil
	}
	if r.Samples, err = m.Sample(ctx, q, now); err != nil {
		return r, err
	}
	undecided, err := m.undecidedWords(ctx, q)
	r.Findings = append(r.Findings, undecided...)
	r.Findings = append(r.Findings, r.Samples.doubts()...)
	return r, err
}

// Faults counts the findings without which no mirror can run.
func (r *CheckResult) Faults() int {
	n := 0
	for _, f := range r.Findings {
		if !f.Warning {
			n++
		}
	}
	return n
}

// Write prints the result as text.
func (r *CheckResult) Write(w io.Writer) error {
	var out bytes.Buffer
	for i := range r.Samples.Tables {
		r.Samples.Tables[i].write(&out)
	}
	r.Samples.objects.write(&out)
	r.writeFindings(&out)
	if len(r.Owned) > 0 {
		fmt.Fprintf(&out, "Start all processes with TIDELINE_SOURCE_OWNS=%s", r.Owned)
		if r.Samples.TextIDs {
			fmt.Fprint(&out, " TIDELINE_IDS=text")
		}
		if r.Counters {
			fmt.Fprint(&out, " TIDELINE_COUNTERS=source")
		}
		fmt.Fprintln(&out, ".")
	}
	_, err := w.Write(out.Bytes())
	return err
}

const (
	// textShown is how much of a text is printed, in characters; reasonsShown how many reasons are.
	textShown    = 80
	reasonsShown = 5
)

func (s *Sample) write(out *bytes.Buffer) {
	fmt.Fprintf(out, "%s (line %d)\n", s.Table.Quoted, s.Line)
	if s.Read == 0 {
		fmt.Fprintln(out, "  has no rows")
	}
	for _, row := range s.Shown {
		fmt.Fprintf(out, "  %s\n", shortened(row.Text))
		if len(row.Lines) == 0 {
			fmt.Fprintln(out, "    makes no record")
		}
		for _, line := range row.Lines {
			if line.Bad != "" {
				fmt.Fprintf(out, "    BAD: %s\n", line.Bad)
			} else {
				fmt.Fprintf(out, "    %s\n", shortened(line.Text()))
			}
		}
	}
	for i := range s.Rules {
		s.Rules[i].write(out)
	}
	if len(s.Bad) > 0 {
		fmt.Fprintf(out, "  bad records among the first %d rows, which would become dead letters:\n", s.Read)
	}
	for _, b := range s.Bad[:min(len(s.Bad), reasonsShown)] {
		fmt.Fprintf(out, "    %d: %s\n       such as %s\n", b.Count, b.Reason, shortened(b.Row))
	}
	if more := len(s.Bad) - reasonsShown; more > 0 {
		fmt.Fprintf(out, "    and %d other reasons\n", more)
	}
	fmt.Fprintln(out)
}

// shortened returns an object with shorter texts, in one line.
func shortened(object []byte) string {
	in := json.NewDecoder(bytes.NewReader(object))
	var parts []string
	for {
		token, err := in.Token()
		if err != nil {
			break
		}
		if text, is := token.(string); is {
			if short := shortText(text); short != text {
				parts = append(parts, text, short)
			}
		}
	}
	short := string(object)
	for i := 0; i < len(parts); i += 2 {
		short = strings.Replace(short, asJSON(parts[i]), asJSON(parts[i+1]), 1)
	}
	return short
}

func asJSON(text string) string {
	out, _ := json.Marshal(text) // texts have JSON
	return string(out)
}

func (r *CheckResult) writeFindings(out *bytes.Buffer) {
	var sql []string
	for _, f := range r.Findings {
		fmt.Fprintln(out, f)
		for _, statement := range f.SQL {
			if !slices.Contains(sql, statement) {
				sql = append(sql, statement)
			}
		}
	}
	if len(r.Findings) == 0 {
		fmt.Fprintln(out, "The source has all that a mirror needs.")
	}
	if len(sql) > 0 {
		fmt.Fprintf(out, "\nRun in the source:\n\n%s\n", "  "+strings.Join(sql, "\n  "))
	}
	fmt.Fprintln(out)
}
