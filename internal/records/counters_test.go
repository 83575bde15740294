package records_test

import (
	"slices"
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
