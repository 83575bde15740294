package app

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
)

// fixedReport is a [feed.SourceReporter] with one result.
type fixedReport struct {
	feed.SourceReporter
	report feed.SourceReport
}

func (r fixedReport) ReportSources(context.Context) (feed.SourceReport, error) { return r.report, nil }

func TestSourceChecks_NameCountsAndOldest(t *testing.T) {
	hours := func(n int) int64 { return (time.Duration(n) * time.Hour).Milliseconds() }
	at99 := feed.SourceStates{Now: hours(99)}
	for name, c := range map[string]struct {
		report feed.SourceReport
		want   []string
	}{
		"nothing": {feed.SourceReport{SourceStates: at99}, []string{"", "", ""}},
		"new users": {
			feed.SourceReport{SourceStates: at99, Absent: feed.AbsentUsers{Awaited: 1, Oldest: []feed.Awaited[feed.UserID]{{ID: 7, Since: hours(76)}}}}, []string{"", "", ""},
		},
		"users taken back":    {feed.SourceReport{SourceStates: at99, Absent: feed.AbsentUsers{TakenBack: 1}}, []string{"", "", ""}},
		"a load that goes on": {feed.SourceReport{SourceStates: at99, Load: feed.BulkLoad{Since: hours(1), LastAt: hours(99) - 1}}, []string{"", "", ""}},
		"a load that was killed": {
			feed.SourceReport{SourceStates: at99, Load: feed.BulkLoad{Since: hours(1), LastAt: hours(98)}},
			[]string{"", "", "a bulk load did not end; its last batch was 1h0m0s ago, and no inbox is used until it ends"},
		},
		"both": {
			feed.SourceReport{
				SourceStates: feed.SourceStates{Now: hours(99), DeadLetters: []feed.DeadLetterCount{{Letters: 3, Overtaken: 1}, {Letters: 1, Counted: 1}}},
				Absent:       feed.AbsentUsers{Awaited: 2, Oldest: []feed.Awaited[feed.UserID]{{ID: 7, Since: hours(73)}}},
			},
			[]string{
				"5 lines of 2 sources could not be applied; later records overtook 1 of them; 1 were only counted, so what is stored is incomplete until their sources send everything again",
				"records name 2 users who have not arrived; the oldest has been awaited for 26h0m0s",
				"",
			},
		},
	} {
		var got []string
		for _, check := range SourceChecks(fixedReport{report: c.report}) {
			message, err := check.Evaluate(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, message)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
