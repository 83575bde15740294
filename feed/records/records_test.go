package records_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
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
		`{"type":"note","id":"1"}`: `"note" is not a type; the types are user, follow, post, live, like, favorite, mute, hide, block, list, list_member, seen, counters`,
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

// A post whose audience is not known must be hidden, so its line has a record. An audience that is named
// and empty is not known; only one that is not named is the default.
func TestDecode_KeepsUnknownAudience(t *testing.T) {
	for named, want := range map[string]feed.PostAudience{
		``: feed.AudiencePublic, `,"audience":"PUBLIC"`: feed.AudiencePublic, `,"audience":"FOLLOWERS"`: feed.AudienceFollowers,
		`,"audience":"direct"`: feed.AudienceUnknown, `,"audience":""`: feed.AudienceUnknown, `,"audience":null`: feed.AudienceUnknown,
	} {
		r, err := numbers.Decode([]byte(`{"type":"post","id":"7","author":"1","kind":"POST","text":"x","publishedAt":"2010-11-12T12:05:02Z"` + named + `}`))
		if err != nil || r.Post.Audience != want {
			t.Errorf("with %s the post is %+v, the error %v", named, r.Post, err)
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

// check ends the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// same fails the test if two values differ.
func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestCounters_AreNumbersOrTexts(t *testing.T) {
	const encoded = `{"type":"counters","post":"7","likes":5,"favorites":2}` + "\n"
	want := feed.Record{Counters: &feed.CountersRecord{Post: 7, PostCounters: feed.PostCounters{Likes: 5, Favorites: 2}}}
	for _, line := range []string{encoded, `{"type":"counters","post":"7","likes":"5","comments":0,"favorites":2,"reposts":null}`} {
		got, err := records.Format{}.Decode([]byte(line))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got)\n%s", line, err, diff)
		}
	}
	line, err := records.Format{}.Encode(t.Context(), want)
	if err != nil || string(line) != encoded {
		t.Errorf("the line is %s: %v", line, err)
	}
	if _, err := (records.Format{}).Decode([]byte(`{"type":"counters","post":"7","likes":-1}`)); err == nil {
		t.Error("a negative number is a counter")
	}
	r, err := records.Format{}.Decode([]byte(`{"type":"counters","post":"7","likes":null,"partial":true,"deletedAt":null}`))
	if slices.Sort(r.Partial); err != nil || !slices.Equal(r.Partial, []string{"deletedAt", "likes", "partial", "type"}) {
		t.Errorf("the partial record has the fields %v: %v", r.Partial, err)
	}
}

func TestCounters_NameTextIDs(t *testing.T) {
	store := textStore(t)
	format := records.Format{IDs: store}
	var got []string
	for _, line := range []string{`{"type":"counters","user":"auth0|ann","posts":1}`, `{"type":"counters","post":"p \"1\"","likes":1}`} {
		r, err := format.Decode([]byte(line))
		check(t, err)
		fit, bad, err := format.Number(t.Context(), []feed.Record{r})
		if err != nil || len(bad) > 0 {
			t.Fatal(bad, err)
		}
		again, err := format.Encode(t.Context(), fit[0])
		if err != nil || string(again) != line+"\n" {
			t.Errorf("%s becomes %s: %v", line, again, err)
		}
		got = append(got, fit[0].Name())
	}
	if want := []string{"counters of user auth0|ann", `counters of post "p \"1\""`}; !slices.Equal(got, want) {
		t.Errorf("the names are %q, want %q", got, want)
	}
}

func TestCustom_KeepsDigits(t *testing.T) {
	const start, end = `{"type":"user","id":"7","handle":"ann","name":"Ann",`, `"createdAt":"2020-01-01T00:00:00.000Z"}`
	for given, want := range map[string]string{
		`"custom": { "n": 1.50, "big": 12345678901234567890123, "e": 1E+2, "t": "a b\u0000<\u00fc" },`: `"custom":{"n":1.50,"big":12345678901234567890123,"e":1E+2,"t":"a b\u0000<\u00fc"},`,
		`"custom":{"a":[{"b":[{}]}],"type":"post"},`:                                                   `"custom":{"a":[{"b":[{}]}],"type":"post"},`,
		`"custom":null,`: ``,
		`"custom": { },`: ``,
	} {
		r, err := records.Format{}.Decode([]byte(start + given + end))
		if err != nil {
			t.Errorf("%s: %v", given, err)
			continue
		}
		line, err := records.Format{}.Encode(t.Context(), r)
		if err != nil || string(line) != start+want+end+"\n" {
			t.Errorf("%s becomes %s: %v", given, line, err)
		}
	}
}

func TestCustom_RefusesOtherValues(t *testing.T) {
	for given, want := range map[string]string{
		`[1]`: "custom fields must be a JSON object", `"{}"`: "custom fields must be a JSON object", `7`: "custom fields must be a JSON object",
		`{"a":"` + strings.Repeat("x", 8192) + `"}`: "custom fields have 8200 bytes without white space; the maximum is 8192",
	} {
		_, err := records.Format{}.Decode([]byte(`{"type":"post","id":"1","author":"7","kind":"POST","text":"x","publishedAt":"2020-01-01T00:00:00.000Z","custom":` + given + `}`))
		if want = `the field "custom": ` + want; err == nil || err.Error() != want {
			t.Errorf("%.40s: %v, want %s", given, err, want)
		}
	}
}

func TestShapeOf_NamesWhatRecordsNeed(t *testing.T) {
	for typ, want := range map[string]records.Shape{
		"user":     {Keys: []string{"id"}, Required: []string{"id", "createdAt"}},
		"post":     {Keys: []string{"id"}, Owner: "author", Required: []string{"id", "author", "kind", "publishedAt"}},
		"follow":   {Keys: []string{"follower", "followee"}, Required: []string{"follower", "followee", "createdAt"}},
		"like":     {Keys: []string{"user", "post"}, Required: []string{"user", "post", "createdAt"}},
		"counters": {Keys: []string{"user", "post"}},
		"seen":     {Keys: []string{"user"}, Required: []string{"user", "at"}},
	} {
		got, known := records.ShapeOf(typ)
		if diff := cmp.Diff(want, got); !known || diff != "" {
			t.Errorf("%s: known %v\n%s", typ, known, diff)
		}
	}
	if _, known := records.ShapeOf("friend"); known {
		t.Error("an unknown type has a shape")
	}
}

// Exports write what moderators have hidden, and imports read it.
func TestCodec_KeepsModerated(t *testing.T) {
	for _, line := range []string{
		`{"type":"user","id":"7","handle":"h","name":"n","createdAt":"2010-11-12T12:05:02.110Z","moderated":{"reason":"\"spam\" <3","at":"2020-01-01T00:00:00.000Z"}}`,
		`{"type":"post","id":"7","author":"1","kind":"POST","text":"x","publishedAt":"2010-11-12T12:05:02.110Z","takenDown":true,"moderated":{"reason":"spam","at":"2020-01-01T00:00:00.000Z"}}`,
	} {
		r, err := numbers.Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		got, err := numbers.Encode(t.Context(), r)
		if err != nil || !sameJSON(t, got, []byte(line)) {
			t.Errorf("got %s and error %v, want %s", got, err, line)
		}
	}
	for moderated, reason := range map[string]string{
		`"spam"`: "must have a reason and a time", `{"reason":"spam","at":"soon"}`: "moderated.at", `{"reason":"spam"}`: "moderated.at",
	} {
		_, err := numbers.Decode([]byte(`{"type":"user","id":"7","handle":"h","name":"n","createdAt":"2010-11-12T12:05:02Z","moderated":` + moderated + `}`))
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: got error %v, want %q", moderated, err, reason)
		}
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var va, vb any
	if err := errors.Join(json.Unmarshal(a, &va), json.Unmarshal(b, &vb)); err != nil {
		t.Fatal(err)
	}
	return cmp.Equal(va, vb)
}
