package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
)

// linesShown bounds the listed lines of one file and kind.
const linesShown = 100

// importReport reports the outcome of one file. Use [newImportReport].
type importReport struct {
	name string
	to   output
	// clear removes the progress bar from the terminal.
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

// lineList lists the first lines of one kind and counts the others.
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

// printf prints a line that begins with the name of the file.
func (r *importReport) printf(format string, args ...any) {
	r.clear()
	_, _ = fmt.Fprintf(r.to.err, "%s%s\n", r.name, fmt.Sprintf(format, args...))
}

// differ reports a record that differs from the stored one, which stays.
func (r *importReport) differ(d feed.Difference) {
	r.different.compare(d, "stays undone", "is stored with other content, which stays")
}

// update reports a record that replaced the stored one.
func (r *importReport) update(d feed.Difference) { r.updated.compare(d, "is made again", "is updated") }

// compare describes the outcome of a record: undone if users had undone it, and otherwise
// changed.
func (l *lineList) compare(d feed.Difference, undone, changed string) {
	if d.Undone {
		l.add(d.Line, d.Object+" was undone since and "+undone)
		return
	}
	l.add(d.Line, d.Object+" "+changed+": "+strings.Join(d.Fields, ", "))
}

// slow warns that the database could not update its statistics.
func (r *importReport) slow(err error) {
	r.printf(": cannot update the database statistics; the import and the first reads may be slower: %v", err)
}

// end prints the totals. done is the word for new records, err the reason of an early end.
func (r *importReport) end(sum records.Summary, done string, took time.Duration, err error) {
	r.bad.end()
	r.different.end()
	r.updated.end()
	r.notes.end()
	if err == nil && sum.Lines == sum.Skipped {
		r.printf(": no records")
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
