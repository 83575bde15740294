package compare

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/examine"
)

// ListMax is the maximum number of differences, and of explained ones, that a report lists.
const ListMax = 1000

// Result is what a comparison has found.
type Result struct {
	// Types are in order.
	Types []Count `json:"types"`
	// Different counts the objects that differ without an explanation, and Excused those with one,
	// which are no faults.
	Different int `json:"different"`
	Excused   int `json:"excused"`
	// Nameless counts the bad records of the source whose object is unknown.
	Nameless int `json:"nameless"`
	// Rest counts the ranges that differ and were not examined, because enough was found.
	Rest int `json:"rest"`
	*examine.Report[Difference]
}

// Count counts the objects of a type that are there, in the source and here.
type Count struct {
	Type   feed.RecordType `json:"type"`
	Theirs int             `json:"source"`
	Ours   int             `json:"here"`
}

// Write writes the result for people. Tabs separate columns.
func (r *Result) Write(out io.Writer) {
	printf := func(format string, args ...any) { _, _ = fmt.Fprintf(out, format, args...) }
	printf("compared with the source in %v\n", r.Duration())
	for _, n := range r.Types {
		printf("  %s\t%d in the source\t%d here\n", n.Type, n.Theirs, n.Ours)
	}
	r.Report.Write(out)
	if r.Rest > 0 {
		printf("enough was found: of %d other parts that differ, the objects were not compared\n", r.Rest)
	}
	if r.Nameless > 0 {
		printf("records of the source without a usable id: %d; tideline ingest dead lists them\n", r.Nameless)
	}
	printf("%d objects differ, %d are explained\n", r.Different, r.Excused)
}

// Difference is a field that differs, or an object that one side lacks.
type Difference struct {
	Type feed.RecordType `json:"type"`
	// IDs identify the object: its id, or those of an edge. Counters have "user" or "post" and an id.
	IDs []string `json:"ids"`
	// Field is empty for a whole object.
	Field string `json:"field,omitempty"`
	// Theirs is the value in the source and Ours the one here, as JSON; empty for none.
	Theirs string `json:"theirs"`
	Ours   string `json:"ours"`
	// Advice says what to do, Explained why there is nothing to do. One of them is empty.
	Advice    string `json:"advice,omitempty"`
	Explained string `json:"explained,omitempty"`
}

// valueShown is how much of a value a line has, in characters.
const valueShown = 60

// Class implements [examine.Line].
func (d Difference) Class() examine.Class {
	return examine.Class{Kind: examine.Kind(d.Type), Normal: d.Explained != ""}
}

// String implements [examine.Line].
func (d Difference) String() string {
	ids := make([]string, len(d.IDs))
	for i, id := range d.IDs {
		ids[i] = examine.Quoted(id)
	}
	return fmt.Sprintf("%s %s: %s: theirs %s, ours %s; %s",
		d.Type, strings.Join(ids, " "), cmp.Or(d.Field, "object"), shown(d.Theirs), shown(d.Ours), cmp.Or(d.Explained, d.Advice))
}

func shown(value string) string {
	if value == "" {
		return "none"
	}
	if long := []rune(value); len(long) > valueShown {
		return string(long[:valueShown]) + "…"
	}
	return value
}
