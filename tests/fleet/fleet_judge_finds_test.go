package fleet

import (
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// The judge must find each kind of wrong page and accept right ones.
func TestJudge_FindsWrongPages(t *testing.T) {
	// User 1 reads. They follow 2 and not 3; whether they follow 4 is unknown.
	stances := []harness.Visibility{harness.Hidden, harness.Shown, harness.Shown, harness.Hidden, harness.Unknown}
	posts := []post{
		{id: "15", author: 4, key: [2]int64{5, 15}},
		{id: "14", author: 2, key: [2]int64{4, 14}},
		{id: "13", author: 3, key: [2]int64{3, 13}},
		{id: "12", author: 1, key: [2]int64{2, 12}},
		{id: "11", author: 2, key: [2]int64{1, 11}},
	}
	byID := map[string]post{}
	for _, c := range posts {
		byID[c.id] = c
	}
	began := time.Now()
	pushed := map[string][]span{
		"15": {{from: began.Add(-time.Hour)}},
		"14": {{from: began.Add(-time.Minute), to: began.Add(-30 * time.Second)}, {from: began.Add(-time.Second)}},
		"11": {{from: began.Add(-time.Hour)}},
	}
	for name, test := range map[string]struct {
		ids  string
		end  bool
		own  string
		gone string
		// lossAgo is the age of a loss of Redis, 0 for none.
		lossAgo time.Duration
		deleted time.Duration
		want    string
	}{
		"all posts":                             {ids: "15 14 12 11", end: true, own: "12"},
		"without an author of unknown relation": {ids: "14 12 11", end: true, own: "12"},
		"the beginning":                         {ids: "14 12", own: "12"},
		"without a post of the next page":       {ids: "15 14", own: "12"},
		"without posts that Redis lost":         {ids: "12 11", end: true, lossAgo: 3 * time.Second},
		"a post of an author not followed":      {ids: "14 13 12 11", end: true, want: "sees 13 by user 3"},
		"in another order":                      {ids: "12 14 11", end: true, want: "sees 14 below 12"},
		"the same post twice":                   {ids: "14 14 12 11", end: true, want: "sees 14 below 14"},
		"a post that is not stored":             {ids: "16 14", want: "sees 16, which is not stored"},
		"without the viewer's own post":         {ids: "14 11", end: true, own: "12", want: "lacks the viewer's own post 12"},
		"the viewer's own deleted post":         {ids: "14 12 11", end: true, gone: "12", want: "sees 12, which was deleted"},
		"a post deleted a minute ago":           {ids: "14 12 11", end: true, deleted: time.Minute, want: "sees 11, which was deleted"},
		"a post deleted a moment ago":           {ids: "14 12 11", end: true, deleted: time.Second},
		"without a pushed post":                 {ids: "12 11", end: true, want: "lacks 14 by user 2"},
		"short, and no end":                     {ids: "14 12", end: true, want: "lacks 11 by user 2"},
		"nothing":                               {end: true, want: "lacks 14 by user 2"},
	} {
		t.Run(name, func(t *testing.T) {
			j := &judge{pushed: pushed, goneAt: map[string]time.Time{}}
			if test.lossAgo > 0 {
				j.loses(began.Add(-test.lossAgo), began.Add(-test.lossAgo))
			}
			if test.deleted > 0 {
				j.goneAt["11"] = began.Add(-test.deleted)
			}
			s := harness.Observation{
				Viewer: feed.UserID(1), Began: began, IDs: strings.Fields(test.ids), End: test.end, Visible: stances,
				Own: strings.Fields(test.own), Gone: strings.Fields(test.gone),
			}
			got := j.showsWrong(s, byID) + j.lacks(s, posts, byID)
			if !strings.HasPrefix(got, test.want) || (test.want == "") != (got == "") {
				t.Errorf("the judge returns %q, want %q", got, test.want)
			}
		})
	}
}
