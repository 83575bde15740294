package upstream_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/types/known/timestamppb"

	tidelinev1 "github.com/tideline-feeds/tideline/api/tideline/v1"
	"github.com/tideline-feeds/tideline/api/tideline/v1/tidelinev1connect"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/upstream"
)

// library is a service made with the library: out of order, with duplicates and unknown ids.
type library struct{ header string }

func (l *library) BatchGet(
	_ context.Context, r *connect.Request[tidelinev1.PostServiceBatchGetRequest],
) (*connect.Response[tidelinev1.PostServiceBatchGetResponse], error) {
	l.header = r.Header().Get("Authorization")
	out := &tidelinev1.PostServiceBatchGetResponse{Results: []*tidelinev1.PostResult{{Id: "unknown"}, {}}}
	for i := len(r.Msg.GetIds()) - 1; i >= 0; i-- {
		id := r.Msg.GetIds()[i]
		post := func(version int64) *tidelinev1.PostResult {
			return &tidelinev1.PostResult{Id: id, Outcome: &tidelinev1.PostResult_Found{Found: &tidelinev1.Post{
				Text: fmt.Sprintf("post %s v%d", id, version), Media: []string{"https://example.org/" + id}, Version: version, Epoch: 2, Custom: `{ "size": 1.50 }`,
				EditedAt: &timestamppb.Timestamp{Seconds: 3}, Audience: map[string]string{"1": "FOLLOWERS", "8": "direct"}[id],
			}}}
		}
		switch id {
		case "3":
			out.Results = append(out.Results, &tidelinev1.PostResult{Id: id, Outcome: &tidelinev1.PostResult_NotFound{NotFound: &tidelinev1.NotFound{}}})
		case "4":
			out.Results = append(out.Results, &tidelinev1.PostResult{Id: id, Outcome: &tidelinev1.PostResult_Gone{Gone: &tidelinev1.Gone{Version: 9}}})
		case "5":
		case "7":
			out.Results = append(out.Results, &tidelinev1.PostResult{Id: id, Outcome: &tidelinev1.PostResult_Found{Found: &tidelinev1.Post{
				EditedAt: &timestamppb.Timestamp{Seconds: -5},
			}}})
		case "6":
			out.Results = append(out.Results, &tidelinev1.PostResult{Id: id, Outcome: &tidelinev1.PostResult_Found{Found: &tidelinev1.Post{
				Text: strings.Repeat("x", feed.RecordRules().TextMax+1),
			}}})
		default:
			out.Results = append(out.Results, post(4), post(5), post(3))
		}
	}
	return connect.NewResponse(out), nil
}

func posts(ids ...int64) []feed.UpstreamRef {
	var refs []feed.UpstreamRef
	for _, id := range ids {
		refs = append(refs, (&feed.Post{ID: feed.PostID(id)}).UpstreamRef())
	}
	return refs
}

// serve starts a server that also speaks HTTP/2 without TLS, as gRPC does.
func serve(t *testing.T, h http.Handler) string {
	server := httptest.NewUnstartedServer(h)
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	t.Cleanup(server.Close)
	return server.URL
}

func TestPosts_EveryProtocol(t *testing.T) {
	want := []upstream.Answer[feed.PostContent]{
		{
			Status: upstream.Found, Version: feed.ObjectVersion{Epoch: 2, Number: 5},
			Value: feed.PostContent{Text: "post 1 v5", Media: []string{"https://example.org/1"}, EditedAt: 3000, Custom: `{"size":1.50}`, Audience: feed.AudienceFollowers},
		},
		{Status: upstream.NotFound},
		{Status: upstream.Gone, Version: feed.ObjectVersion{Number: 9}},
		{Status: upstream.NotFound},
		{Status: upstream.Invalid},
		{Status: upstream.Found},
	}
	for _, protocol := range []upstream.Protocol{upstream.Connect, upstream.JSON, upstream.GRPC, upstream.GRPCWeb} {
		t.Run(string(protocol), func(t *testing.T) {
			l := &library{}
			_, handler := tidelinev1connect.NewPostServiceHandler(l)
			client := upstream.NewClient(protocol, "Bearer secret")
			got, err := client.Posts(serve(t, handler))(t.Context(), posts(1, 3, 4, 5, 6, 7))
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%v, answers (-want +got):\n%s", err, diff)
			}
			if l.header != "Bearer secret" {
				t.Errorf("the header is %q", l.header)
			}
		})
	}
}

// A service needs no library: requests and responses are JSON.
func TestJSON_PlainPost(t *testing.T) {
	var request map[string]any
	mux := http.NewServeMux()
	mux.HandleFunc("POST /base/tideline.v1.UserService/BatchGet", func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewDecoder(r.Body).Decode(&request)
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprint(w, `{"later": 1, "results": [
			{"id": "2", "gone": {"version": "3"}},
			{"id": "1", "found": {"version": 12, "handle": "ann", "name": "Ann", "avatarUrl": "https://example.org/a"}},
			{"id": "3", "found": {"handle": "not a handle"}}, {"id": "4", "found": {"handle": "dan", "custom": "[]"}}]}`)
	})
	mux.HandleFunc("POST /base/tideline.v1.CounterService/BatchGet", func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewDecoder(r.Body).Decode(&request)
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprint(w, `{"posts": [{"id": "1", "likes": 5, "comments": 6, "reposts": 7, "favorites": 8}],
			"users": [{"id": "2", "posts": "-1"}, {"id": "1", "followers": "7", "following": 8, "posts": "9"}]}`)
	})
	client, url := upstream.NewClient(upstream.JSON, ""), serve(t, mux)+"/base"
	got, err := client.Users(url)(t.Context(), users(1, 4))
	want := []upstream.Answer[feed.Profile]{
		{Status: upstream.Found, Version: feed.ObjectVersion{Number: 12}, Value: feed.Profile{Handle: "ann", Name: "Ann", AvatarURL: "https://example.org/a"}},
		{Status: upstream.Gone, Version: feed.ObjectVersion{Number: 3}},
		{Status: upstream.Invalid},
		{Status: upstream.Invalid},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v, answers (-want +got):\n%s", err, diff)
	}
	same(t, "the request", request, map[string]any{"ids": []any{"1", "2", "3", "4"}})

	counters := []feed.UpstreamRef{
		(&feed.User{ID: 1}).CountersRef(), (&feed.Post{ID: 1}).CountersRef(), (&feed.User{ID: 2}).CountersRef(), (&feed.Post{ID: 2}).CountersRef(),
	}
	counts, err := client.Counters(url)(t.Context(), counters)
	wantCounts := []upstream.Answer[feed.UpstreamCounters]{
		{Status: upstream.Found, Value: feed.UpstreamCounters{User: feed.UserCounters{Followers: 7, Following: 8, Posts: 9}}},
		{Status: upstream.Found, Value: feed.UpstreamCounters{Post: feed.PostCounters{Likes: 5, Comments: 6, Reposts: 7, Favorites: 8}}},
		{Status: upstream.Invalid},
		{Status: upstream.NotFound},
	}
	if diff := cmp.Diff(wantCounts, counts); err != nil || diff != "" {
		t.Errorf("%v, counters (-want +got):\n%s", err, diff)
	}
}

func TestAsk_RefusesBrokenResponses(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"a fault": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"no JSON": func(w http.ResponseWriter, _ *http.Request) { write(w, "{results: []}") },
		"no list": func(w http.ResponseWriter, _ *http.Request) { write(w, `{"results": {"id": "1"}}`) },
		"cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			write(w, `{"results": []}`)
		},
		"elsewhere": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/there" {
				write(w, `{"results": []}`)
				return
			}
			http.Redirect(w, r, "/there", http.StatusTemporaryRedirect)
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := upstream.NewClient(upstream.JSON, "").Users(serve(t, handler))(t.Context(), users(1, 1)); err == nil {
				t.Errorf("the answers are %+v", got)
			}
		})
	}
}

func write(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprint(w, text)
}

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
