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
}

// Spent is what a page of one kind costs: microseconds of all cores together.
type Spent struct {
	What string `json:"what"`
	// Read is of how many pages it is the mean.
	Read      int     `json:"read"`
	Server    float64 `json:"server"`
	Redis     float64 `json:"redis"`
	Postgres  float64 `json:"postgres"`
	Generator float64 `json:"generator"`
}

// Markdown returns the spending as documentation shows it: a sentence on where it comes
// from, and a table.
func (s *Spending) Markdown() string {
	var out strings.Builder
	source(&out, s.Command, s.Commit, s.Date, s.Machine)
	out.WriteString("| a page | server | Redis | PostgreSQL | load generator | all |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, p := range s.Pages {
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | **%s** |\n", p.What, Number(p.Server), Number(p.Redis), Number(p.Postgres),
			Number(p.Generator), Number(p.Server+p.Redis+p.Postgres+p.Generator))
	}
	return out.String()
}
