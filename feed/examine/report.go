package examine

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Line is a finding, in one line of a report.
type Line interface {
	// Class returns what the finding counts as.
	Class() Class
	// String describes the finding for people. Tabs separate columns.
	String() string
}

// Class is a kind of findings with one reason.
type Class struct {
	Kind   Kind   `json:"kind"`
	Reason Reason `json:"reason,omitempty"`
	// Normal says that the findings do not count as wrong.
	Normal bool `json:"allowed"`
	// Look says where to look for the cause; empty if Words do.
	Look string `json:"look,omitempty"`
	// Words explain the class; empty if each line explains itself.
	Words string `json:"words"`
}

// Count counts the findings of a class, and the viewers or objects that they are about.
type Count struct {
	Class
	Subjects int `json:"subjects"`
	Findings int `json:"findings"`
}

// Report counts findings, and lists the first of them. Use [NewReport].
type Report[L Line] struct {
	// Took is in milliseconds.
	Took int64 `json:"tookMs"`
	// Counts begin with what is wrong, and then with what most viewers have.
	Counts []Count `json:"reasons"`
	// Findings begin with those that are wrong.
	Findings []L `json:"findings"`
	// LeftOut counts the findings that are not listed.
	LeftOut int `json:"findingsLeftOut"`

	limit, each int
	// wrong is how many of Findings are wrong.
	wrong int
}

// NewReport returns an empty report. It lists up to limit wrong and limit normal findings, and up to
// each findings of a class for one viewer or object.
func NewReport[L Line](limit, each int) *Report[L] {
	return &Report[L]{Counts: []Count{}, Findings: []L{}, limit: limit, each: each}
}

// Add adds the findings about one viewer or object. It reports whether any is wrong.
func (r *Report[L]) Add(findings []L) (wrong bool) {
	of := map[Class]int{}
	for _, f := range findings {
		class := f.Class()
		wrong = wrong || !class.Normal
		count := r.count(class)
		count.Findings++
		if of[class]++; of[class] == 1 {
			count.Subjects++
		}
		switch {
		case of[class] > r.each || r.Full(class.Normal):
			r.LeftOut++
		case class.Normal:
			r.Findings = append(r.Findings, f)
		default:
			r.Findings = slices.Insert(r.Findings, r.wrong, f)
			r.wrong++
		}
	}
	slices.SortStableFunc(r.Counts, func(a, b Count) int {
		return cmp.Or(strings.Compare(severity(a.Class), severity(b.Class)), b.Subjects-a.Subjects)
	})
	return wrong
}

func (r *Report[L]) count(class Class) *Count {
	i := slices.IndexFunc(r.Counts, func(c Count) bool { return c.Class == class })
	if i < 0 {
		i, r.Counts = len(r.Counts), append(r.Counts, Count{Class: class})
	}
	return &r.Counts[i]
}

// Listed returns the normal findings of the list, or the wrong ones.
func (r *Report[L]) Listed(normal bool) []L {
	if normal {
		return r.Findings[r.wrong:]
	}
	return r.Findings[:r.wrong]
}

// Full reports whether the list of normal findings, or that of wrong ones, is full.
func (r *Report[L]) Full(normal bool) bool { return len(r.Listed(normal)) >= r.limit }

// Sum counts the normal findings, or the wrong ones, and their viewers or objects. A viewer with
// findings of two classes counts twice.
func (r *Report[L]) Sum(normal bool) (subjects, findings int) {
	for _, c := range r.Counts {
		if c.Normal == normal {
			subjects += c.Subjects
			findings += c.Findings
		}
	}
	return subjects, findings
}

// Duration returns how long the examination took.
func (r *Report[L]) Duration() time.Duration { return time.Duration(r.Took) * time.Millisecond }

// Write writes the counts and the findings for people. Tabs separate columns.
func (r *Report[L]) Write(out io.Writer) {
	var b strings.Builder
	for _, c := range r.Counts {
		if c.Words == "" {
			continue
		}
		look := ""
		if c.Look != "" {
			look = "look at " + c.Look + ": "
		}
		fmt.Fprintf(&b, "  %s\t%s\t%d findings\t%d users\t%s%s\n",
			severity(c.Class), strings.TrimSpace(string(c.Kind)+" "+string(c.Reason)), c.Findings, c.Subjects, look, c.Words)
	}
	if b.Len() > 0 {
		b.WriteString("namely\n") // ends the columns above
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "  %s\t%s\n", severity(f.Class()), f)
	}
	if r.LeftOut > 0 {
		fmt.Fprintf(&b, "  and %d more\n", r.LeftOut)
	}
	if b.Len() > 0 {
		_, _ = fmt.Fprintf(out, "found\n%s", &b)
	}
}

func severity(c Class) string {
	if c.Normal {
		return "normal"
	}
	return "ERROR"
}
