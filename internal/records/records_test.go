package records_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/records"
)

func TestDecode_ReadsTimesOfOtherZones(t *testing.T) {
	got, err := numbers.Decode([]byte(`{"type":"follow","follower":"7","followee":"8","createdAt":"2010-11-12T13:05:02.110+01:00"}`))
	if err != nil || got.Follow.CreatedAt != 1289563502110 {
		t.Errorf("the follow is %+v, %v", got.Follow, err)
	}
}

func TestDecode_ExplainsBadLines(t *testing.T) {
	for line, want := range map[string]string{
		`{"type":"user"`:           "not a JSON object: unexpected end of JSON input",
		`[]`:                       "not a JSON object: the field \"\" must not be a array",
		`{"id":"1"}`:               `the field "type" is missing`,
		`{"type":"note","id":"1"}`: `"note" is not a type; the types are user, follow, post, live, like, favorite, mute, hide, block, seen, counters`,
		session(``):                `the field "scheduledAt" must be a time`,
		session(`"scheduledAt":"1970-01-01T00:00:00Z"`):                                                      `the field "scheduledAt" must be later`,
		`{"type":"follow","follower":"0","followee":"8","createdAt":"2010-11-12T12:05:02Z"}`:                 `the field "follower" must be an id`,
		`{"type":"follow","follower":7,"followee":"8","createdAt":"2010-11-12T12:05:02Z"}`:                   `the field "follower" must not be a number`,
		`{"type":"follow","follower":"7","followee":"8","createdAt":"yesterday"}`:                            `the field "createdAt" must be a time from 1970 on such as`,
		`{"type":"follow","follower":"7","followee":"8","createdAt":"1969-12-31T23:59:59Z"}`:                 `the field "createdAt" must be a time from 1970 on such as`,
		`{"type":"follow","follower":"7","followee":"8","createdAt":"2010-11-12T12:05:02Z","since":1}`:       `unknown field "since"`,
		`{"type":"post","id":"7","author":"1","kind":"NOTE","text":"","publishedAt":"2010-11-12T12:05:02Z"}`: `the field "kind" must be one of POST, COMMENT, REPOST`,
	} {
		if _, err := numbers.Decode([]byte(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n got %v\nwant …%s…", line, err, want)
		}
	}
}

// session is the line of a live session.
func session(fields string) string {
	if fields != "" {
		fields = "," + fields
	}
	return `{"type":"live","id":"9","host":"7","title":"tea"` + fields + `}`
}

// numbers is the format where ids are numbers.
var numbers records.Format

// sink stores everything but follows of user 13, and fails on demand.
type sink struct {
	batches [][]feed.Record
	err     error
}

func (s *sink) Apply(_ context.Context, batch feed.Batch) (feed.Applied, error) {
	s.batches = append(s.batches, slices.Clone(batch.Records))
	var res feed.Applied
	for _, r := range batch.Records {
		if r.Follow != nil && r.Follow.Followee == 13 {
			res.Bad = append(res.Bad, feed.BadRecord{Line: r.Line, Reason: "no user 13"})
			continue
		}
		res.Stored++
	}
	return res, s.err
}

func follow(followee int) string {
	return fmt.Sprintf(`{"type":"follow","follower":"7","followee":"%d","createdAt":"2010-11-12T12:05:02Z"}`, followee)
}

func TestImport_ReportsBadLinesAndContinues(t *testing.T) {
	in := strings.Join([]string{follow(1), "", "nonsense", follow(13), follow(2), strings.Repeat("x", 5<<20), follow(3)}, "\n")
	var refused []string
	to := &sink{}
	sum, err := records.Import(context.Background(), strings.NewReader(in), to, records.Options{BatchSize: 2, Refused: func(line int, reason string) {
		refused = append(refused, fmt.Sprint(line, ": ", reason[:10]))
	}})
	check(t, err)
	same(t, "the refused lines", refused, []string{"3: not a JSON", "4: no user 13", "6: the line i"})
	if want := (records.Summary{Lines: 7, Stored: 3, Refused: 3, Skipped: 1}); sum != want {
		t.Errorf("the summary is %+v, want %+v", sum, want)
	}
	if len(to.batches) != 2 || to.batches[1][1].Line != 7 {
		t.Errorf("the batches are %v", to.batches)
	}
}

func TestImport_StrictStopsAtBadLine(t *testing.T) {
	in := strings.Join([]string{follow(1), "nonsense", follow(2)}, "\n")
	sum, err := records.Import(context.Background(), strings.NewReader(in), &sink{}, records.Options{Strict: true})
	if !errors.Is(err, records.ErrStrict) || sum.Lines != 2 {
		t.Errorf("the import ended with %v after %d lines", err, sum.Lines)
	}
}

func TestImport_EndsWithStoreError(t *testing.T) {
	broken := errors.New("broken")
	if _, err := records.Import(context.Background(), strings.NewReader(follow(1)), &sink{err: broken}, records.Options{}); !errors.Is(err, broken) {
		t.Errorf("the import ended with %v", err)
	}
}

func TestImport_CallsGrownWhenDoubled(t *testing.T) {
	var lines []string
	for i := range 21 {
		lines = append(lines, follow(100+i))
	}
	to, at := &sink{}, []int(nil)
	grown := func(context.Context) error { at = append(at, 2*len(to.batches)); return nil }
	o := records.Options{BatchSize: 2, Grown: grown}
	if _, err := records.Import(t.Context(), strings.NewReader(strings.Join(lines, "\n")), to, o); err != nil {
		t.Fatal(err)
	}
	// The last batch has only line 21.
	same(t, "lines applied at each call of Grown", at, []int{2, 4, 8, 16, 22})
	at = nil
	if _, err := records.Import(t.Context(), strings.NewReader(follow(13)), to, o); err != nil || at != nil {
		t.Errorf("an import that stored nothing called Grown at %v (error %v)", at, err)
	}
	broken := errors.New("broken")
	o.Grown = func(context.Context) error { return broken }
	if _, err := records.Import(t.Context(), strings.NewReader(follow(1)), to, o); !errors.Is(err, broken) {
		t.Errorf("the import ended with %v", err)
	}
}
