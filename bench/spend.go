package bench

import (
	"fmt"
	"strings"
)

// Spending is what pages of several kinds cost in processor time, and in which process.
// Unlike pages a second, it is little moved by what else a machine does.
type Spending struct {
	Commit  string  `json:"commit"`
	Command string  `json:"command"`
	Date    string  `json:"date"`
	Machine string  `json:"machine"`
	Pages   []Spent `json:"pages"`
	// Loads tell how slow the machine's memory is, out of little and out of much.
	Loads []Load `json:"loads,omitempty"`
	// Together is how many times all processors compute at once what one does alone.
	Together float64 `json:"together,omitempty"`
}

// Spent is what a page of one kind costs: microseconds of all cores together.
type Spent struct {
	What string `json:"what"`
	// Read is of how many pages it is the mean, and PerSecond how many there were in a second.
	Read      int     `json:"read"`
	PerSecond float64 `json:"perSecond,omitempty"`
	Server    float64 `json:"server"`
	Redis     float64 `json:"redis"`
	Postgres  float64 `json:"postgres"`
	Generator float64 `json:"generator"`
	// Shares tell what the server's part was spent on, where that was looked at.
	Shares []Share `json:"shares,omitempty"`
}

// All returns what all processes spent.
func (p Spent) All() float64 { return p.Server + p.Redis + p.Postgres + p.Generator }

// Markdown returns the spending as documentation shows it: a sentence on where it comes
// from, and a table.
func (s *Spending) Markdown() string {
	var out strings.Builder
	source(&out, s.Command, s.Commit, s.Date, s.Machine)
	out.WriteString("| a page | server | Redis | PostgreSQL | load generator | all |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, p := range s.Pages {
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | **%s** |\n", p.What, Number(p.Server), Number(p.Redis), Number(p.Postgres),
			Number(p.Generator), Number(p.All()))
	}
	s.writeMachine(&out)
	s.shares(&out)
	return out.String()
}

// shares writes what servers spent their part on, in hundredths: a column for each page of
// which that is known.
func (s *Spending) shares(out *strings.Builder) {
	var known []Spent
	for _, p := range s.Pages {
		if len(p.Shares) > 0 {
			known = append(known, p)
		}
	}
	if len(known) == 0 {
		return
	}
	out.WriteString("\nWhat the server spends its part on, in hundredths:\n\n| |")
	for _, p := range known {
		fmt.Fprintf(out, " %s |", p.What)
	}
	out.WriteString("\n| --- |" + strings.Repeat(" --- |", len(known)) + "\n")
	for i, share := range known[0].Shares {
		fmt.Fprintf(out, "| %s |", share.What)
		for _, p := range known {
			fmt.Fprintf(out, " %.0f |", p.Shares[i].Percent)
		}
		out.WriteByte('\n')
	}
}
