package bench

import (
	"fmt"
	"slices"
	"strings"
)

// Markdown returns the report as documentation shows it: a sentence on where it comes from,
// and a table.
func (r *Report) Markdown() string {
	var s strings.Builder
	source(&s, r.Command, r.Commit, r.Date, r.Machine)
	s.WriteString("| what | goal | median | least and greatest of any round | reached |\n| --- | --- | --- | --- | --- |\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&s, "| %s | %s %s | **%s** | %s … %s | %s |\n", row.What, row.sign(), Number(row.Goal), Number(row.Median),
			Number(slices.Min(row.Ratios)), Number(slices.Max(row.Ratios)), row.reached())
	}
	return s.String()
}

// sign is what the ratio should be, compared with the goal.
func (r Row) sign() string {
	if r.AtMost {
		return "≤"
	}
	return "≥"
}

// reached says in a word whether the goal is met.
func (r Row) reached() string {
	if r.Met() {
		return "yes"
	}
	return "no"
}

// Markdown returns the growth as documentation shows it: a table with a column for each size,
// and below it where each comes from.
func (g *Growth) Markdown() string {
	var s strings.Builder
	for i, f := range growthFigures() {
		fmt.Fprintf(&s, "| %s |", f.name)
		for _, c := range g.Sizes {
			fmt.Fprintf(&s, " %s |", f.text(c))
		}
		s.WriteByte('\n')
		if i == 0 {
			s.WriteString("| --- |" + strings.Repeat(" --- |", len(g.Sizes)) + "\n")
		}
	}
	for _, h := range heads() {
		fmt.Fprintf(&s, "| %s |", h.name)
		for _, c := range g.Sizes {
			fmt.Fprintf(&s, " %s |", h.of(c))
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// source says where a table comes from.
func source(s *strings.Builder, command, commit, date, machine string) {
	fmt.Fprintf(s, "`%s` at commit %s, %s, on %s:\n\n", command, commit, date, machine)
}

// Fill returns a page of documentation with a text put between the two comments
// <!-- begin NAME --> and <!-- end NAME -->, in place of what stood there. It is an error
// when the page has none such.
func Fill(page, name, text string) (string, error) {
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->\n"
	before, rest, ok := strings.Cut(page, begin)
	if !ok {
		return "", fmt.Errorf("the page has no %q", strings.TrimSpace(begin))
	}
	_, after, ok := strings.Cut(rest, end)
	if !ok {
		return "", fmt.Errorf("the page has no %q", strings.TrimSpace(end))
	}
	return before + begin + text + end + after, nil
}
