package graph_test

import (
	"encoding/base64"
	"math"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/graph"
)

func encode(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

// Clients keep global ids, so the texts themselves are part of the contract.
func TestGlobalIDsAreStable(t *testing.T) {
	if got, want := graph.PostGlobalID(123), "UG9zdDoxMjM"; got != want {
		t.Errorf("the global id of content 123 is %q, want %q", got, want)
	}
	if got, want := graph.UserGlobalID(123), "VXNlcjoxMjM"; got != want {
		t.Errorf("the global id of user 123 is %q, want %q", got, want)
	}
	if got, want := graph.LiveSessionGlobalID(123), "TGl2ZVNlc3Npb246MTIz"; got != want {
		t.Errorf("the global id of session 123 is %q, want %q", got, want)
	}
}

func TestAGlobalIDNamesWhatItWasMadeOf(t *testing.T) {
	for _, n := range []int64{1, 9, 1 << 53, 1<<53 + 1, math.MaxInt64} {
		if got, ok := graph.ParsePostID(graph.PostGlobalID(feed.ContentID(n))); !ok || got != feed.ContentID(n) {
			t.Errorf("content %d comes back as %d, %v", n, got, ok)
		}
		if got, ok := graph.ParseUserID(graph.UserGlobalID(feed.UserID(n))); !ok || got != feed.UserID(n) {
			t.Errorf("user %d comes back as %d, %v", n, got, ok)
		}
		if got, ok := graph.ParseLiveSessionID(graph.LiveSessionGlobalID(live.ID(n))); !ok || got != live.ID(n) {
			t.Errorf("session %d comes back as %d, %v", n, got, ok)
		}
	}
}

func TestWhatIsNoGlobalIDOfAPostNamesNothing(t *testing.T) {
	for name, s := range map[string]string{
		"an empty text":               "",
		"a decimal id":                "123",
		"another type":                graph.UserGlobalID(1),
		"a session's id":              graph.LiveSessionGlobalID(1),
		"an unknown type":             encode("Thing:1"),
		"a type without an id":        encode("Post:"),
		"no colon":                    encode("Post1"),
		"the type in another case":    encode("post:1"),
		"zero":                        encode("Post:0"),
		"a negative id":               encode("Post:-1"),
		"a leading zero":              encode("Post:01"),
		"a plus":                      encode("Post:+1"),
		"a space":                     encode("Post: 1"),
		"one above the largest":       encode("Post:9223372036854775808"),
		"padding":                     graph.PostGlobalID(1) + "=",
		"a line break":                graph.PostGlobalID(1) + "\n",
		"a line break in the middle":  "UG9z\ndDox",
		"stray bits in the last char": "UG9zdDoxMjN",
		"the other alphabet":          "UG9zdDo+",
		"something long":              encode("Post:1" + string(make([]byte, 1<<20))),
	} {
		if id, ok := graph.ParsePostID(s); ok {
			t.Errorf("%s is taken for content %d", name, id)
		}
	}
}

// FuzzGlobalID holds parsing to its promise: whatever is taken is exactly what
// would have been given out, and never of two types.
func FuzzGlobalID(f *testing.F) {
	for _, s := range []string{"", "UG9zdDoxMjM", "VXNlcjoxMjM", "UG9zdDoxMjN", "TGl2ZVNlc3Npb246MTIz", encode("Post:9223372036854775807")} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		post, isPost := graph.ParsePostID(s)
		if isPost && (post < 1 || graph.PostGlobalID(post) != s) {
			t.Errorf("%q is taken for content %d, whose id is %q", s, post, graph.PostGlobalID(post))
		}
		user, isUser := graph.ParseUserID(s)
		if isUser && (user < 1 || graph.UserGlobalID(user) != s) {
			t.Errorf("%q is taken for user %d, whose id is %q", s, user, graph.UserGlobalID(user))
		}
		session, isLive := graph.ParseLiveSessionID(s)
		if isLive && (session < 1 || graph.LiveSessionGlobalID(session) != s) {
			t.Errorf("%q is taken for session %d, whose id is %q", s, session, graph.LiveSessionGlobalID(session))
		}
		if isPost && isUser || isPost && isLive || isUser && isLive {
			t.Errorf("%q names things of two types", s)
		}
	})
}
