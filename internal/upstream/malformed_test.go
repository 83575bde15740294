package upstream_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/upstream"
)

// answering returns a service of users with a response.
func answering(t *testing.T, contentType, body string) upstream.Asker[feed.Profile] {
	t.Helper()
	protocol := upstream.JSON
	if contentType == "application/proto" {
		protocol = upstream.Connect
	}
	return upstream.NewClient(protocol, "").Users(serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	})))
}

// statuses returns the statuses of the answers about users 1, 2, and so on.
func statuses(t *testing.T, ask upstream.Asker[feed.Profile], n int64) (list []upstream.Status) {
	t.Helper()
	answers, err := ask(t.Context(), users(1, n))
	check(t, err)
	for _, a := range answers {
		list = append(list, a.Status)
	}
	return list
}

const good = `{"id": %q, "found": {"handle": "ann", "name": "A, \"]}"}}`

func TestAsk_JudgesEachResultAlone(t *testing.T) {
	const found, invalid, none = upstream.Found, upstream.Invalid, upstream.NotFound
	for name, c := range map[string]struct {
		result string
		want   upstream.Status
	}{
		"null":                   {`null`, none},
		"a number":               {`7`, none},
		"a text":                 {`"]"`, none},
		"a list":                 {`[{"id": "2"}]`, none},
		"nothing":                {``, none},
		"no id":                  {`{"found": {"handle": "bob"}}`, none},
		"no known outcome":       {`{"id": "2", "moved": {}}`, none},
		"an outcome of null":     {`{"id": "2", "found": null}`, none},
		"an id of null":          {`{"id": null, "found": 1}`, none},
		"an id that is a number": {`{"id": 2, "found": {"handle": "bob"}}`, invalid},
		"an outcome as a number": {`{"id": "2", "found": 1}`, invalid},
		"a list as a text":       {`{"id": "2", "found": {"name": ["x"]}}`, invalid},
		"a text as a number":     {`{"id": "2", "gone": {"version": "x"}}`, invalid},
		"a version that is long": {`{"id": "2", "found": {"version": 1e30}}`, invalid},
		"two outcomes":           {`{"id": "2", "found": {}, "gone": {}}`, invalid},
		"a field twice":          {`{"id": "2", "found": {"name": "a", "name": "b"}}`, invalid},
		"no UTF-8":               {"{\"id\": \"2\", \"found\": {\"name\": \"\xff\"}}", invalid},
		"half a character":       {`{"id": "2", "found": {"name": "\ud800"}}`, invalid},
		"a line feed in a text":  {"{\"id\": \"2\", \"found\": {\"name\": \"a\nb\"}}", invalid},
		"an unknown escape":      {`{"id": "2", "found": {"name": "\x"}}`, invalid},
		"no JSON":                {`{"id": "2", "found": {"name": NaN, bare: +1, 'q': undefined}}`, invalid},
		"brackets":               {`{"found": ` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `, "id": "2"}`, invalid},
		"another type first":     {`{"id": 2}, {"id": "2", "found": {"handle": "bob", "name": "Bob"}}`, found},
		"another type last":      {`{"id": "2", "found": {"handle": "bob", "name": "Bob"}}, {"id": 2}`, found},
	} {
		t.Run(name, func(t *testing.T) {
			body := fmt.Sprintf(`{"results": [`+good+`, %s, `+good+`]}`, "1", c.result, "3")
			same(t, "the statuses", statuses(t, answering(t, "application/json", body), 3), []upstream.Status{found, c.want, found})
		})
	}
	cut := fmt.Sprintf(`{"results": [`+good+`, {"id": "2", "found": {"name": "`, "1")
	same(t, "the statuses of a response that ends early", statuses(t, answering(t, "application/json", cut), 2), []upstream.Status{found, invalid})
}

func TestAsk_JudgesEachBinaryResultAlone(t *testing.T) {
	field := func(number protowire.Number, value string) string {
		return string(protowire.AppendString(protowire.AppendTag(nil, number, protowire.BytesType), value))
	}
	user := func(id, name string) string { return field(1, field(1, id)+field(2, field(3, "ann")+field(4, name))) }
	body := user("1", "Ann") + user("2", "\xff") + user("3", "Cat") + field(1, "\xff")
	got := statuses(t, answering(t, "application/proto", body), 3)
	same(t, "the statuses", got, []upstream.Status{upstream.Found, upstream.Invalid, upstream.Found})
}

func TestAsk_AcceptsAnySpellingOfJSON(t *testing.T) {
	body := "\xef\xbb\xbf" + fmt.Sprintf(`{"results": [`+good+`]}`, "1")
	for _, contentType := range []string{
		"application/json", "Application/JSON", "application/json;charset=utf-8", "APPLICATION/JSON ; Charset=UTF-8; x=y",
	} {
		same(t, contentType, statuses(t, answering(t, contentType, body), 1), []upstream.Status{upstream.Found})
	}
}

// A service answers each id once. What is more than twice that is not read.
func TestAsk_BoundsResultsByIDs(t *testing.T) {
	for surplus, want := range map[int]upstream.Status{3: upstream.Found, 4: upstream.NotFound, 500_000: upstream.NotFound} {
		body := fmt.Sprintf(`{"results": [%s`+good+`]}`, strings.Repeat(`{"id":"x"},`, surplus), "1")
		same(t, fmt.Sprint("the statuses after ", surplus), statuses(t, answering(t, "application/json", body), 2), []upstream.Status{want, upstream.NotFound})
	}
}

// One user alone makes each response too large that has them.
func TestAsk_TooLargeResultLeavesOthers(t *testing.T) {
	calls := 0
	ask := upstream.NewClient(upstream.JSON, "").Users(serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ IDs []string }
		check(t, json.NewDecoder(r.Body).Decode(&request))
		var results []string
		for _, id := range request.IDs {
			results = append(results, fmt.Sprintf(good, id))
		}
		if calls++; slices.Contains(request.IDs, "37") {
			results = append(results, strings.Repeat(" ", 9<<20))
		}
		write(w, `{"results": [`+strings.Join(results, ",")+`]}`)
	})))
	want := slices.Repeat([]upstream.Status{upstream.Found}, 100)
	want[36] = upstream.Invalid
	same(t, "the statuses", statuses(t, ask, 100), want)
	if calls > 15 {
		t.Errorf("%d calls, want one and two for each half", calls)
	}
}
