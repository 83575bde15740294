package shadow

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed/examine"
)

// Summary sums up comparisons.
type Summary struct {
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
	*examine.Report[Difference]

	allowed []examine.Reason
}

const (
	// listedMax is how many differences a summary lists.
	listedMax = 100
	// listedOfViewer is how many differences with a reason it lists for a viewer.
	listedOfViewer = 3
)

// NewSummary returns an empty summary. maxShare is from 0 to 1.
func NewSummary(maxShare float64, allowed []examine.Reason) *Summary {
	return &Summary{MaxShare: maxShare, allowed: allowed, Report: examine.NewReport[Difference](listedMax, listedOfViewer)}
}

// Add adds comparisons.
func (s *Summary) Add(exams []*Exam) {
	for _, e := range exams {
		s.Viewers++
		s.Moving += e.Moving
		if s.add(e) {
			s.Different++
		}
	}
	if s.Viewers > 0 {
		s.Share = float64(s.Different) / float64(s.Viewers)
	}
	s.OK = s.Viewers > 0 && s.Share <= s.MaxShare
}

func (s *Summary) add(e *Exam) (different bool) {
	if e.Err != nil {
		s.Failed++
		return s.Report.Add([]Difference{{User: e.Name, Kind: Failed, Words: e.Err.Error()}})
	}
	s.Pages += e.Pages
	s.Posts += e.Posts
	pages := map[int]bool{}
	for i := range e.Differences {
		d := &e.Differences[i]
		d.Allowed = slices.Contains(s.allowed, d.Reason)
		pages[d.Page] = true
	}
	s.PagesEqual += e.Pages - len(pages)
	return s.Report.Add(e.Differences)
}

// Write writes the summary for people. Tabs separate columns.
func (s *Summary) Write(out io.Writer) {
	printf := func(format string, args ...any) { _, _ = fmt.Fprintf(out, format, args...) }
	printf("compared %d viewers in %v: %d posts, %d pages, %s of them equal\n",
		s.Viewers-s.Failed, s.Duration(), s.Posts, s.Pages, percent(s.PagesEqual, s.Pages))
	if s.Seed != nil {
		printf("  the seed of the sample is %d\n", *s.Seed)
	}
	printf("  in motion: %d differences were gone when the feeds were read again\n", s.Moving)
	s.Report.Write(out)
	printf("different: %d of %d viewers, %s; the limit is %s\n", s.Different, s.Viewers, percent(s.Different, s.Viewers), shareText(s.MaxShare))
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
