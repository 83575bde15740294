package model_test

import (
	"encoding/base64"
	"math"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/graph/model"
)

func encode(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

// Clients store global ids.
func TestGlobalID_IsStable(t *testing.T) {
	for want, got := range map[string]string{
		"UG9zdDoxMjM":          model.PostGlobalID(feed.PublicPostID{Number: 123}),
		"VXNlcjoxMjM":          model.UserGlobalID(feed.PublicUserID{Number: 123}),
		"TGl2ZVNlc3Npb246MTIz": model.LiveSessionGlobalID(live.PublicID{Number: 123}),
		"VXNlcjphdXRoMHw3":     model.UserGlobalID(feed.PublicUserID{Number: 123, External: "auth0|7"}),
	} {
		if got != want {
			t.Errorf("a global id is %q, want %q", got, want)
		}
	}
}

func TestGlobalID_RoundTrips(t *testing.T) {
	longest := feed.ExternalID(strings.Repeat("ö", feed.MaxExternalID/2))
	for _, id := range []feed.PublicID{
		{Number: 1}, {Number: 1<<53 + 1}, {Number: math.MaxInt64}, {Number: 7, External: "auth0|7:8"}, {Number: 7, External: longest},
	} {
		for want, global := range map[feed.IDKind]string{
			feed.PostIDs: model.PostGlobalID(feed.PublicPostID(id)),
			feed.UserIDs: model.UserGlobalID(feed.PublicUserID(id)),
			feed.LiveIDs: model.LiveSessionGlobalID(live.PublicID(id)),
		} {
			kind, text, ok := model.ParseGlobalID(global)
			if !ok || kind != want || text != id.Text() {
				t.Errorf("%s %s comes back as %s %s, %v", want, id.Text(), kind, text, ok)
			}
		}
	}
}

func TestGlobalID_RejectsOtherTexts(t *testing.T) {
	one := model.PostGlobalID(feed.PublicPostID{Number: 1})
	for name, s := range map[string]string{
		"an empty text":               "",
		"a decimal id":                "123",
		"an unknown type":             encode("Thing:1"),
		"a type without an id":        encode("Post:"),
		"no colon":                    encode("Post1"),
		"the type in another case":    encode("post:1"),
		"a control character":         encode("Post:a\x00"),
		"invalid UTF-8":               encode("Post:\xff"),
		"too many bytes":              encode("Post:" + strings.Repeat("x", feed.MaxExternalID+1)),
		"padding":                     one + "=",
		"a line break":                one + "\n",
		"a line break in the middle":  "UG9z\ndDox",
		"stray bits in the last char": "UG9zdDoxMjN",
		"the other alphabet":          "UG9zdDo+",
		"something long":              encode("Post:1" + string(make([]byte, 1<<20))),
	} {
		if kind, id, ok := model.ParseGlobalID(s); ok {
			t.Errorf("%s is taken for %s %s", name, kind, id)
		}
	}
}

// FuzzGlobalID checks that parsing accepts exactly the ids that are rendered.
func FuzzGlobalID(f *testing.F) {
	for _, s := range []string{"", "UG9zdDoxMjM", "VXNlcjoxMjM", "UG9zdDoxMjN", "TGl2ZVNlc3Npb246MTIz", encode("Post:auth0|7")} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		kind, id, ok := model.ParseGlobalID(s)
		if !ok {
			return
		}
		public := feed.PublicID{Number: 1, External: id}
		rendered := map[feed.IDKind]string{
			feed.PostIDs: model.PostGlobalID(feed.PublicPostID(public)),
			feed.UserIDs: model.UserGlobalID(feed.PublicUserID(public)),
			feed.LiveIDs: model.LiveSessionGlobalID(live.PublicID(public)),
		}[kind]
		if rendered != s {
			t.Errorf("%q is taken for %s %q, whose id is %q", s, kind, id, rendered)
		}
	})
}
