package upstream_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"github.com/google/go-cmp/cmp"
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
				EditedAt: &timestamppb.Timestamp{Seconds: 3},
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
			Value: feed.PostContent{Text: "post 1 v5", Media: []string{"https://example.org/1"}, EditedAt: 3000, Custom: `{"size":1.50}`},
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
