package shadow

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Report counts what comparisons have found.
type Report struct {
	// Seed is that of the sample; nil if the viewers were given.
	Seed *uint64 `json:"seed,omitempty"`
	// Viewers is the number of viewers, Failed of those whose old feed could not be read.
	Viewers int `json:"viewers"`
	Failed  int `json:"failed"`
	// Different is the number of viewers with a difference, or whose old feed could not be read. It
	// does not count reasons that are allowed.
	Different int `json:"different"`
	// Share is Different of Viewers, MaxShare its limit; both are from 0 to 1.
	Share    float64 `json:"share"`
	MaxShare float64 `json:"maxShare"`
	OK       bool    `json:"ok"`
	// Pages and Posts are those of the old feeds. PagesEqual have no difference.
	Pages      int `json:"pages"`
	PagesEqual int `json:"pagesEqual"`
	Posts      int `json:"posts"`
	// Moving counts differences that were gone when the feeds were read again.
	Moving int `json:"inMotion"`
	// Took is in milliseconds.
	Took    int64     `json:"tookMs"`
	Reasons []Count   `json:"reasons"`
	List    []Finding `json:"findings"`
	LeftOut int       `json:"findingsLeftOut"`
	Errors  []Failure `json:"failures"`

	allowed []Reason
}

// Count is how often a reason was found.
type Count struct {
	Kind    Kind   `json:"kind"`
	Reason  Reason `json:"reason"`
	Viewers int    `json:"viewers"`
	Posts   int    `json:"posts"`
	Allowed bool   `json:"allowed"`
	Look    Side   `json:"look"`
	Words   string `json:"words"`
}

// Finding is a difference of a viewer.
type Finding struct {
	User    string `json:"user"`
	Kind    Kind   `json:"kind"`
	Reason  Reason `json:"reason"`
	Post    string `json:"post"`
	Page    int    `json:"page"`
	OldTime string `json:"oldPublishedAt,omitempty"`
	OurTime string `json:"publishedAt,omitempty"`
	Words   string `json:"words"`
}

// Failure is a viewer whose old feed could not be read.
type Failure struct {
	User  string `json:"user"`
	Error string `json:"error"`
}

const (
	// findingsMax is how many findings, and how many failures, a report lists.
	findingsMax = 100
	// findingsOfViewer is how many findings of a reason it lists for a viewer.
	findingsOfViewer = 3
)

// NewReport returns an empty report. maxShare is from 0 to 1.
func NewReport(maxShare float64, allowed []Reason) *Report {
	return &Report{MaxShare: maxShare, allowed: allowed, Reasons: []Count{}, List: []Finding{}, Errors: []Failure{}}
}

// Add adds comparisons.
func (r *Report) Add(exams []*Exam) {
	for _, e := range exams {
		r.Viewers++
		r.Moving += e.Moving
		if e.Err != nil {
			r.Failed++
			r.Different++
			if len(r.Errors) < findingsMax {
				r.Errors = append(r.Errors, Failure{e.Name, e.Err.Error()})
			}
			continue
		}
		r.addCompared(e)
	}
	if r.Viewers > 0 {
		r.Share = float64(r.Different) / float64(r.Viewers)
	}
	r.OK = r.Viewers > 0 && r.Share <= r.MaxShare
	slices.SortStableFunc(r.Reasons, func(a, b Count) int { return b.Viewers - a.Viewers })
}

func (r *Report) addCompared(e *Exam) {
	r.Pages += e.Pages
	r.Posts += e.Posts
	type of struct {
		kind   Kind
		reason Reason
	}
	pages, times := map[int]bool{}, map[of]int{}
	counts := false
	for _, d := range e.Differences {
		pages[d.Page] = true
		c := r.count(d.Kind, d.Reason)
		c.Posts++
		n := times[of{d.Kind, d.Reason}]
		if n == 0 {
			c.Viewers++
		}
		times[of{d.Kind, d.Reason}]++
		counts = counts || !c.Allowed
		if n >= findingsOfViewer || len(r.List) >= findingsMax {
			r.LeftOut++
			continue
		}
		r.List = append(r.List, Finding{e.Name, d.Kind, d.Reason, d.ID, d.Page, timeText(d.OldAt), timeText(d.OurAt), d.Words})
	}
	r.PagesEqual += e.Pages - len(pages)
	if counts {
		r.Different++
	}
}

func (r *Report) count(k Kind, reason Reason) *Count {
	for i := range r.Reasons {
		if c := &r.Reasons[i]; c.Kind == k && c.Reason == reason {
			return c
		}
	}
	m := k.Meaning(reason)
	r.Reasons = append(r.Reasons, Count{Kind: k, Reason: reason, Allowed: slices.Contains(r.allowed, reason), Look: m.Look, Words: m.Words})
	return &r.Reasons[len(r.Reasons)-1]
}

func timeText(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format(time.RFC3339Nano)
}

// WriteJSON writes the report for programs.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// Write writes the report for people.
func (r *Report) Write(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	printf := func(format string, args ...any) { _, _ = fmt.Fprintf(out, format, args...) }
	printf("compared %d viewers in %v: %d posts, %d pages, %s of them equal\n",
		r.Viewers-r.Failed, (time.Duration(r.Took) * time.Millisecond).Round(10*time.Millisecond), r.Posts, r.Pages, percent(r.PagesEqual, r.Pages))
	if r.Seed != nil {
		printf("  the seed of the sample is %d\n", *r.Seed)
	}
	printf("  in motion: %d differences were gone when the feeds were read again\n", r.Moving)
	if r.Failed > 0 {
		printf("  not compared: %d viewers, whose old feed could not be read\n", r.Failed)
	}
	if len(r.Reasons) > 0 {
		printf("\ndifference\treason\tviewers\tposts\tlook at\t\n")
	}
	for _, c := range r.Reasons {
		allowed := ""
		if c.Allowed {
			allowed = " (allowed)"
		}
		printf("%s\t%s\t%d\t%d\t%s\t%s%s\n", c.Kind, c.Reason, c.Viewers, c.Posts, c.Look, c.Words, allowed)
	}
	r.writeFindings(printf)
	printf("\ndifferent: %d of %d viewers, %s; the limit is %s\n", r.Different, r.Viewers, percent(r.Different, r.Viewers), shareText(r.MaxShare))
	return out.Flush()
}

func (r *Report) writeFindings(printf func(format string, args ...any)) {
	if len(r.List) > 0 {
		printf("\n")
	}
	for _, f := range r.List {
		times := ""
		if f.Kind == Time {
			times = ": " + f.OldTime + " in the old feed, " + f.OurTime + " in Tideline"
		}
		printf("user %s\tpage %d\tpost %s\t%s\t%s%s\n", f.User, f.Page, f.Post, f.Reason, f.Words, times)
	}
	if r.LeftOut > 0 {
		printf("and %d more\n", r.LeftOut)
	}
	for _, f := range r.Errors {
		printf("user %s: %s\n", f.User, f.Error)
	}
}

func percent(n, of int) string {
	if of == 0 {
		return "0 %"
	}
	return shareText(float64(n) / float64(of))
}

func shareText(share float64) string {
	text := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.3f", share*100), "0"), ".")
	return text + " %"
}
