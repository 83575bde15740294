package model_test

import (
	"encoding/base64"
	"math"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/graph/model"
)

func encode(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

// Clients store global ids.
func TestGlobalID_IsStable(t *testing.T) {
	if got, want := model.PostGlobalID(123), "UG9zdDoxMjM"; got != want {
		t.Errorf("the global id of post 123 is %q, want %q", got, want)
	}
	if got, want := model.UserGlobalID(123), "VXNlcjoxMjM"; got != want {
		t.Errorf("the global id of user 123 is %q, want %q", got, want)
	}
	if got, want := model.LiveSessionGlobalID(123), "TGl2ZVNlc3Npb246MTIz"; got != want {
		t.Errorf("the global id of session 123 is %q, want %q", got, want)
	}
}

func TestGlobalID_RoundTrips(t *testing.T) {
	for _, n := range []int64{1, 9, 1 << 53, 1<<53 + 1, math.MaxInt64} {
		if got, ok := model.ParsePostID(model.PostGlobalID(feed.PostID(n))); !ok || got != feed.PostID(n) {
			t.Errorf("post %d comes back as %d, %v", n, got, ok)
		}
		if got, ok := model.ParseUserID(model.UserGlobalID(feed.UserID(n))); !ok || got != feed.UserID(n) {
			t.Errorf("user %d comes back as %d, %v", n, got, ok)
		}
		if got, ok := model.ParseLiveSessionID(model.LiveSessionGlobalID(live.ID(n))); !ok || got != live.ID(n) {
			t.Errorf("session %d comes back as %d, %v", n, got, ok)
		}
	}
}

func TestGlobalID_RejectsOtherTexts(t *testing.T) {
	for name, s := range map[string]string{
		"an empty text":               "",
		"a decimal id":                "123",
		"another type":                model.UserGlobalID(1),
		"a session's id":              model.LiveSessionGlobalID(1),
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
		"padding":                     model.PostGlobalID(1) + "=",
		"a line break":                model.PostGlobalID(1) + "\n",
		"a line break in the middle":  "UG9z\ndDox",
		"stray bits in the last char": "UG9zdDoxMjN",
		"the other alphabet":          "UG9zdDo+",
		"something long":              encode("Post:1" + string(make([]byte, 1<<20))),
	} {
		if id, ok := model.ParsePostID(s); ok {
			t.Errorf("%s is taken for post %d", name, id)
		}
	}
}

// FuzzGlobalID checks that parsing accepts exactly the ids that are rendered, for one type only.
func FuzzGlobalID(f *testing.F) {
	for _, s := range []string{"", "UG9zdDoxMjM", "VXNlcjoxMjM", "UG9zdDoxMjN", "TGl2ZVNlc3Npb246MTIz", encode("Post:9223372036854775807")} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		post, isPost := model.ParsePostID(s)
		if isPost && (post < 1 || model.PostGlobalID(post) != s) {
			t.Errorf("%q is taken for post %d, whose id is %q", s, post, model.PostGlobalID(post))
		}
		user, isUser := model.ParseUserID(s)
		if isUser && (user < 1 || model.UserGlobalID(user) != s) {
			t.Errorf("%q is taken for user %d, whose id is %q", s, user, model.UserGlobalID(user))
		}
		session, isLive := model.ParseLiveSessionID(s)
		if isLive && (session < 1 || model.LiveSessionGlobalID(session) != s) {
			t.Errorf("%q is taken for session %d, whose id is %q", s, session, model.LiveSessionGlobalID(session))
		}
		if isPost && isUser || isPost && isLive || isUser && isLive {
			t.Errorf("%q names things of two types", s)
		}
	})
}
