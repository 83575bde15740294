package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/records"
)

// linesShown is how many lines of one file are named for one reason, as bad for example;
// more would only hide the first ones.
const linesShown = 100

// importReport says what became of one file. Use [newImportReport].
type importReport struct {
	name string
	to   output
	// clear takes away what stands on the line that is written to.
	clear                          func()
	bad, different, updated, notes lineList
}

func newImportReport(name string, to output, clear func()) *importReport {
	r := &importReport{name: name, to: to, clear: clear}
	r.bad = lineList{report: r, kind: "bad lines"}
	r.different = lineList{report: r, kind: "different records"}
	r.updated = lineList{report: r, kind: "updated records"}
	r.notes = lineList{report: r, kind: "notes"}
	return r
}

// lineList names the first lines of one kind and counts the others.
type lineList struct {
	report *importReport
	kind   string
	n      int
}

func (l *lineList) add(line int, what string) {
	if l.n++; l.n <= linesShown {
		l.report.printf(":%d: %s", line, what)
	}
}

func (l *lineList) end() {
	if more := l.n - linesShown; more > 0 {
		l.report.printf(": and %d more %s", more, l.kind)
	}
}

// printf writes a line that begins with the file's name.
func (r *importReport) printf(format string, args ...any) {
	r.clear()
	_, _ = fmt.Fprintf(r.to.err, "%s%s\n", r.name, fmt.Sprintf(format, args...))
}

// differ names a record that is stored with other content, which stays.
func (r *importReport) differ(d feed.Difference) {
	r.different.compare(d, "stays undone", "is stored with other content, which stays")
}

// update names a record that was stored with other content.
func (r *importReport) update(d feed.Difference) { r.updated.compare(d, "is made again", "is updated") }

// compare names a record, by what became of it if users had undone it and otherwise.
func (l *lineList) compare(d feed.Difference, undone, changed string) {
	if d.Undone {
		l.add(d.Line, d.Object+" was undone since and "+undone)
		return
	}
	l.add(d.Line, d.Object+" "+changed+": "+strings.Join(d.Fields, ", "))
}

// slow warns that the database could not look at how much it holds.
func (r *importReport) slow(err error) {
	r.printf(": the database could not look at how much it holds, so the import may be slower and so may the first reads: %v", err)
}

// end writes what was counted; done says what became of the records that are not known, err
// why the import ended early.
func (r *importReport) end(sum records.Summary, done string, took time.Duration, err error) {
	r.bad.end()
	r.different.end()
	r.updated.end()
	r.notes.end()
	if err == nil && sum.Lines == sum.Skipped {
		r.printf(": there is no record in it")
	}
	line := fmt.Sprintf("%s: %d lines, %d %s, %d known, %d bad", r.name, sum.Lines, sum.Stored, done, sum.Known, sum.Refused)
	for _, of := range []struct {
		n    int
		what string
	}{{sum.Updated, "updated"}, {sum.Different, "different"}, {sum.Undone, "undone since"}, {sum.Skipped, "skipped"}} {
		if of.n > 0 {
			line += fmt.Sprintf(", %d %s", of.n, of.what)
		}
	}
	_, _ = fmt.Fprintf(r.to.out, "%s, in %v\n", line, took.Round(time.Millisecond))
}
