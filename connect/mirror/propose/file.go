package propose

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/tideline-feeds/tideline/feed"
)

// column is an expression of the value in a column.
func column(name string) string {
	if celName.MatchString(name) && !slices.Contains(celReserved, name) {
		return "row." + name
	}
	return "row[" + text(name) + "]"
}

// text is a literal of an expression.
func text(s string) string { return strconv.Quote(s) }

// oneOf is the condition that an expression has one of some values.
func oneOf(x string, values []string) string {
	if len(values) == 1 {
		return x + " == " + values[0]
	}
	return fmt.Sprintf("%s in [%s]", x, strings.Join(values, ", "))
}

// scalar is a scalar of YAML in one line.
func scalar(s string) string {
	if plainYAML.MatchString(s) {
		return s
	}
	if strings.ContainsFunc(s, unprintable) {
		return strconv.Quote(s) // YAML has the escapes of Go
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// file returns the text of the file.
func (p *proposal) file() []byte {
	var out bytes.Buffer
	p.head(&out)
	if len(p.inputs) == 0 {
		fmt.Fprintln(&out, "inputs: {}")
	} else {
		fmt.Fprintln(&out, "inputs:")
	}
	for _, in := range p.inputs {
		fmt.Fprintf(&out, "  %s:\n", scalar(in.table.Quoted))
		for _, note := range in.notes {
			comment(&out, "    ", note)
		}
		for _, r := range in.rules {
			r.write(&out)
		}
	}
	p.rest(&out)
	return out.Bytes()
}

// head writes what to do with the file, and which settings it needs.
func (p *proposal) head(out *bytes.Buffer) {
	comment(out, "", "Which records the rows of your tables make. Proposed from names, types, foreign keys and rows;")
	comment(out, "", `read it, above all where it says "guess". Check it with: tideline mirror check`)
	if p.undecided() {
		fmt.Fprintln(out, "#")
		comment(out, "", "Rows do not tell what the columns with DECIDE mean. Replace it by a table of their values, such as")
		comment(out, "", `{0: PUBLIC, 1: FOLLOWERS, 2: hidden}, or by: nothing. A value that is in no table hides its row.`)
	}
	var owned []string
	for _, t := range feed.OwnedTypes() {
		if slices.ContainsFunc(p.inputs, func(in input) bool {
			return slices.ContainsFunc(in.rules, func(r rule) bool { return r.typ == string(t) })
		}) {
			owned = append(owned, string(t))
		}
	}
	if owned != nil {
		fmt.Fprintln(out, "#")
		settings := "TIDELINE_SOURCE_OWNS=" + strings.Join(owned, ",")
		if p.textIDs {
			settings += " TIDELINE_IDS=text"
		}
		comment(out, "", "Settings of all processes: "+settings)
	}
	for _, missing := range []struct {
		none bool
		what string
	}{{p.users == nil, "users"}, {p.users != nil && p.posts == nil, "posts"}, {p.users != nil && !slices.Contains(owned, "follow"), "follows"}} {
		if missing.none {
			comment(out, "", "No table looks like "+missing.what+": write its rules.")
		}
	}
	if p.zoneless {
		fmt.Fprintln(out, "\n# guess: timestamps without a time zone are in UTC, as most frameworks write them\nzone: UTC")
	}
	fmt.Fprintln(out)
}

// undecided reports whether a question is left.
func (p *proposal) undecided() bool {
	return slices.ContainsFunc(p.inputs, func(in input) bool {
		return slices.ContainsFunc(in.rules, func(r rule) bool {
			return slices.ContainsFunc(r.decides, func(d decision) bool { return d.answer == "" })
		})
	})
}

func comment(out *bytes.Buffer, indent, text string) {
	fmt.Fprintf(out, "%s# %s\n", indent, oneLine(text))
}

// oneLine returns a text as YAML permits it in a comment.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || unprintable(r) }), " ")
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

func (r *rule) write(out *bytes.Buffer) {
	fmt.Fprintf(out, "    - type: %s\n", r.typ)
	for _, note := range r.notes {
		comment(out, "      ", note)
	}
	if len(r.when) > 0 {
		fmt.Fprintf(out, "      when: %s\n", scalar(strings.Join(r.when, " && ")))
	}
	if len(r.decides) > 0 {
		fmt.Fprintln(out, "      decides:")
	}
	for i := range r.decides {
		fmt.Fprintf(out, "        %s\n", r.decides[i].line())
	}
	fmt.Fprintln(out, "      fields:")
	for _, f := range r.fields {
		line := f.name + ": " + scalar(f.value)
		if f.guess {
			line = "# " + line
		}
		if f.note != "" {
			line += " # " + oneLine(f.note)
		}
		fmt.Fprintf(out, "        %s\n", line)
	}
}

// rest lists tables that are about users and are not mapped.
func (p *proposal) rest(out *bytes.Buffer) {
	const most = 20
	var names []string
	for _, t := range p.tables {
		mapped := slices.ContainsFunc(p.inputs, func(in input) bool { return in.table == t })
		if !mapped && (p.users == nil || len(t.references(p.users, userColumns, false)) > 0) {
			names = append(names, t.Quoted)
		}
	}
	if len(names) == 0 {
		return
	}
	more := ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf(" and %d others", len(names)-most)
	}
	fmt.Fprintln(out)
	comment(out, "", "Not mapped: "+strings.Join(names, ", ")+more)
}
