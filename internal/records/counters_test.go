package records_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/records"
)

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
