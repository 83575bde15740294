package bench

import (
	"fmt"
	"strings"
)

// Ablation is the cost of the mixed load with each fast path disabled in turn.
type Ablation struct {
	Commit  string `json:"commit"`
	Command string `json:"command"`
	Date    string `json:"date"`
	Machine string `json:"machine"`
	// Default is the unmodified program.
	Default Mixed `json:"default"`
	// Paths are the fast paths.
	Paths []Ablated `json:"paths"`
}

// Mixed is the cost of the mixed load. It has the CPU time per operation in microseconds, of all
// processes except the load generator. The load is saturated, or 30 % of that. Times of pages and
// publishes, in microseconds, are at 30 %.
type Mixed struct {
	Saturated  float64 `json:"saturated"`
	Partial    float64 `json:"partial"`
	PageP50    float64 `json:"pageP50"`
	PageP99    float64 `json:"pageP99"`
	PublishP50 float64 `json:"publishP50"`
	PublishP99 float64 `json:"publishP99"`
}

// Ablated is the cost of the load without one fast path.
type Ablated struct {
	What string `json:"what"`
	// Lines is the number of product lines of the fast path. Fate is the decision about it.
	Lines int    `json:"lines"`
	Fate  string `json:"fate"`
	// Without is the median of the rounds. Saves and SavesPartial are the median savings of total
	// CPU time in percent, saturated and at 30 %.
	Without      Mixed     `json:"without"`
	Rounds       []float64 `json:"rounds"`
	Saves        float64   `json:"saves"`
	SavesPartial float64   `json:"savesPartial"`
}

// Markdown returns the table as documentation shows it.
func (a *Ablation) Markdown() string {
	var s strings.Builder
	source(&s, a.Command, a.Commit, a.Date, a.Machine)
	s.WriteString("| without | lines | saves, % | at 30 %, % | processor time, µs | at 30 %, µs | page p50 / p99, ms | publish p50 / p99, ms | decision |\n" +
		"| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	row := func(what, lines, saves, partial string, m Mixed, fate string) {
		fmt.Fprintf(&s, "| %s | %s | %s | %s | %s | %s | %s / %s | %s / %s | %s |\n", what, lines, saves, partial, Number(m.Saturated), Number(m.Partial),
			Number(m.PageP50/1000), Number(m.PageP99/1000), Number(m.PublishP50/1000), Number(m.PublishP99/1000), fate)
	}
	row("nothing", "", "", "", a.Default, "")
	for _, p := range a.Paths {
		row(p.What, fmt.Sprint(p.Lines), fmt.Sprintf("**%.1f**", p.Saves), fmt.Sprintf("%.1f", p.SavesPartial), p.Without, p.Fate)
	}
	return s.String()
}
