package bench

import (
	"fmt"
	"slices"
	"strings"
)

// Markdown returns the report for the documentation: its origin and a table.
func (r *Report) Markdown() string {
	var s strings.Builder
	source(&s, r.Command, r.Commit, r.Date, r.Machine)
	s.WriteString("| what | goal | median | range of rounds | reached |\n| --- | --- | --- | --- | --- |\n")
	for _, row := range r.Rows {
		fmt.Fprintf(&s, "| %s | %s %s | **%s** | %s … %s | %s |\n", row.What, row.sign(), Number(row.Goal), Number(row.Median),
			Number(slices.Min(row.Ratios)), Number(slices.Max(row.Ratios)), row.reached())
	}
	return s.String()
}

// sign is the required relation of ratio and goal.
func (r Row) sign() string {
	if r.AtMost {
		return "≤"
	}
	return "≥"
}

// reached states whether the goal is met.
func (r Row) reached() string {
	if r.Met() {
		return "yes"
	}
	return "no"
}

// Markdown returns the growth for the documentation: a table with a column per size, followed by
// the origin of each.
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

// source writes the origin of a table.
func source(s *strings.Builder, command, commit, date, machine string) {
	fmt.Fprintf(s, "`%s` at commit %s, %s, on %s:\n\n", command, commit, date, machine)
}

// Fill returns a page with text between the comments <!-- begin NAME --> and <!-- end NAME -->, in
// place of the old text. It returns an error if the page lacks these comments.
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
