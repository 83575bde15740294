package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// ListMax is the maximum number of differences, and of explained ones, that a report lists.
const ListMax = 1000

// Report is what a comparison has found.
type Report struct {
	// Counts are ordered by type.
	Counts []Count
	// Differences and Explained are by type and number, up to [ListMax] each. Explained ones are no
	// faults.
	Differences, Explained []Difference
	// Different and Excused count the objects that they are about.
	Different, Excused int
	// Nameless counts the bad records of the source whose object is unknown.
	Nameless int
	// Rest counts the ranges that differ and were not examined, because enough was found.
	Rest int
}

// Count counts the objects of a type that are there, in the source and here.
type Count struct {
	Type         feed.RecordType
	Theirs, Ours int
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

// String returns the difference in one line.
func (d *Difference) String() string {
	ids := make([]string, len(d.IDs))
	for i, id := range d.IDs {
		ids[i] = feed.PublicID{External: feed.ExternalID(id)}.String()
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

func (r *Report) sortCounts() {
	slices.SortFunc(r.Counts, func(a, b Count) int { return cmp.Compare(a.Type, b.Type) })
}
