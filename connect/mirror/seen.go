package mirror

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/connect/mapping"
)

// seenBy says who sees the object of a row.
type seenBy int

const (
	notSeen seenBy = iota
	seenByFollowers
	seenByAll
	seenUnclear
	seenKinds
)

func (s seenBy) String() string {
	return [...]string{"hidden", "for followers", "shown", "UNCLEAR, so hidden"}[s]
}

// seenBy returns who sees the object of an outcome, without regard to other objects.
func (o *outcome) seenBy() seenBy {
	switch {
	case o.err != nil, o.text(mapping.UnclearField) != "":
		return seenUnclear
	case o.Type == "", o.text(deletedField) != "" && o.text(deletedField) != "null":
		return notSeen
	case o.text("audience") == string(mapping.Followers), o.text("private") == "true", o.text("state") == string(mapping.Requested):
		return seenByFollowers
	}
	return seenByAll
}

// text returns the value of a field; empty if there is none.
func (o *outcome) text(name string) string {
	for i := range o.Members {
		if o.Members[i].Name == name {
			return o.Members[i].Text
		}
	}
	return ""
}

// RuleSample says what a rule makes of the rows that were tried.
type RuleSample struct {
	// Line is that of the mapping file.
	Line int
	Type string
	rows [seenKinds]int
	// by has the counts of rows by the values of the columns that decide who sees them.
	by []columnSample
	// unclear is the reason of the first unclear row.
	unclear string
}

// columnSample counts rows by a value; it has no values if there are too many.
type columnSample struct {
	name   string
	values map[string]*[seenKinds]int
}

// ruleSamples returns empty samples of the rules that decide who sees something.
func (in *input) ruleSamples() []RuleSample {
	list := make([]RuleSample, len(in.rules))
	for i := range in.rules {
		r := &in.rules[i]
		list[i] = RuleSample{Line: r.Line, Type: r.Type}
		names := slices.Clone(r.condition.names)
		for j, d := range r.Decisions {
			if d.ByValue != nil {
				names = append(names, r.decisions[j].names...)
			}
		}
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			list[i].by = append(list[i].by, columnSample{name, map[string]*[seenKinds]int{}})
		}
	}
	return list
}

func (s *RuleSample) add(t *Table, row []Cell, o *outcome) {
	seen := o.seenBy()
	s.rows[seen]++
	if seen == seenUnclear && s.unclear == "" {
		if s.unclear = o.text(mapping.UnclearField); o.err != nil {
			s.unclear = o.err.Error()
		}
	}
	for i := range s.by {
		s.by[i].add(t, row, seen)
	}
}

func (c *columnSample) add(t *Table, row []Cell, seen seenBy) {
	at := slices.IndexFunc(t.Columns, func(of Column) bool { return of.Name == c.name })
	if c.values == nil || at < 0 {
		return
	}
	text := "null"
	if !row[at].Null {
		text = string(row[at].Text)
	}
	if c.values[text] == nil {
		c.values[text] = new([seenKinds]int)
	}
	c.values[text][seen]++
	if len(c.values) > wordsMax {
		c.values = nil
	}
}

// counted describes numbers of rows: "3 shown, 1 hidden".
func counted(rows [seenKinds]int) string {
	var list []string
	for _, seen := range []seenBy{seenByAll, seenByFollowers, notSeen, seenUnclear} {
		if rows[seen] > 0 {
			list = append(list, fmt.Sprintf("%d %s", rows[seen], seen))
		}
	}
	return strings.Join(list, ", ")
}

// write prints nothing of a rule that shows all rows.
func (s *RuleSample) write(out *bytes.Buffer) {
	if s.rows[notSeen]+s.rows[seenByFollowers]+s.rows[seenUnclear] == 0 && len(s.by) == 0 {
		return
	}
	fmt.Fprintf(out, "  line %d, %s: %s\n", s.Line, s.Type, cmp.Or(counted(s.rows), "no rows"))
	for _, c := range s.by {
		var values []string
		for text := range c.values {
			values = append(values, text)
		}
		slices.SortFunc(values, func(a, b string) int {
			return cmp.Or(total(c.values[b])-total(c.values[a]), strings.Compare(a, b))
		})
		for _, text := range values {
			fmt.Fprintf(out, "    %s %s: %s\n", c.name, shortText(text), counted(*c.values[text]))
		}
	}
}

func total(rows *[seenKinds]int) (n int) {
	for _, of := range rows {
		n += of
	}
	return n
}

func shortText(s string) string {
	if long := []rune(s); len(long) > textShown {
		return string(long[:textShown]) + "…"
	}
	return s
}
