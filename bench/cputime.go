package bench

import (
	"fmt"
	"strings"
)

// CPUTimes is the CPU time of several kinds of pages, by process. Unlike pages per second, it
// depends little on other load on the machine.
type CPUTimes struct {
	Commit  string     `json:"commit"`
	Command string     `json:"command"`
	Date    string     `json:"date"`
	Machine string     `json:"machine"`
	Pages   []PageCost `json:"pages"`
	// Loads are the memory latencies of small and large regions.
	Loads []Load `json:"loads,omitempty"`
	// Together is the ratio of the throughput of all processors to that of one.
	Together float64 `json:"together,omitempty"`
}

// PageCost is the cost of a page of one kind, in microseconds over all cores.
type PageCost struct {
	What string `json:"what"`
	// Read is the number of pages measured, and PerSecond their throughput.
	Read      int     `json:"read"`
	PerSecond float64 `json:"perSecond,omitempty"`
	Server    float64 `json:"server"`
	Redis     float64 `json:"redis"`
	Postgres  float64 `json:"postgres"`
	Generator float64 `json:"generator"`
	// Shares divide the server's part by category, if profiled.
	Shares []Share `json:"shares,omitempty"`
}

// All returns the total of all processes.
func (p PageCost) All() float64 { return p.Server + p.Redis + p.Postgres + p.Generator }

// Markdown returns the result for the documentation: its origin and a table.
func (s *CPUTimes) Markdown() string {
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

// shares writes the categories of the servers' CPU time in percent, with a column per profiled
// page.
func (s *CPUTimes) shares(out *strings.Builder) {
	var known []PageCost
	for _, p := range s.Pages {
		if len(p.Shares) > 0 {
			known = append(known, p)
		}
	}
	if len(known) == 0 {
		return
	}
	out.WriteString("\nShares of the server's processor time, in percent:\n\n| |")
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
