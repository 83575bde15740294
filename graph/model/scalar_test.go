package model_test

import (
	"bytes"
	"encoding/base64"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/graph/model"
)

func render(m graphql.Marshaler) string {
	var b bytes.Buffer
	m.MarshalGQL(&b)
	return b.String()
}

func TestDateTime_ReadsAnyOffsetAndPrecision(t *testing.T) {
	for s, want := range map[string]int64{
		"2026-05-04T12:30:00.250Z":       1777897800250,
		"2026-05-04T12:30:00Z":           1777897800000,
		"2026-05-04T14:30:00.25+02:00":   1777897800250,
		"2026-05-04T12:30:00.250999999Z": 1777897800250,
		"9999-12-31T23:59:59.999Z":       feed.MaxTime,
	} {
		if got, err := model.UnmarshalDateTime(s); err != nil || got != want {
			t.Errorf("%s is read as %d, %v, want %d", s, got, err, want)
		}
	}
}

func TestDateTime_RejectsOtherTexts(t *testing.T) {
	for _, v := range []any{
		"", "yesterday", "2026-05-04", "2026-05-04T12:30:00", "2026-05-04 12:30:00Z", "2026-02-30T00:00:00Z",
		"1969-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999-01:00", int64(5), nil, true,
	} {
		if ms, err := model.UnmarshalDateTime(v); feed.CodeOf(err) != feed.CodeBadInput {
			t.Errorf("%v is read as %d, %v", v, ms, err)
		}
	}
}

func TestDateTime_RoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.Int64Range(0, feed.MaxTime).Draw(t, "ms")
		text := render(model.MarshalDateTime(ms))
		if got, err := model.UnmarshalDateTime(text[1 : len(text)-1]); err != nil || got != ms {
			t.Fatalf("%d shows as %s and is read as %d, %v", ms, text, got, err)
		}
	})
}

// An Int has 32 bits, a counter 64.
func TestCount_SaturatesAtMaxInt(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 7: "7", math.MaxInt32: "2147483647", math.MaxInt32 + 1: "2147483647", math.MaxInt64: "2147483647"} {
		if got := render(model.MarshalCount(n)); got != want {
			t.Errorf("%d shows as %s, want %s", n, got, want)
		}
	}
}

func TestDatabaseID_IsText(t *testing.T) {
	if got := render(model.MarshalPostDatabaseID(feed.PublicPostID{Number: math.MaxInt64})); got != `"9223372036854775807"` {
		t.Errorf("the largest post id shows as %s", got)
	}
	if got := render(model.MarshalUserDatabaseID(feed.PublicUserID{Number: 1})); got != `"1"` {
		t.Errorf("user 1 shows as %s", got)
	}
	id := feed.PublicPostID{Number: 1, External: "a\"\\<é"}
	const want = `"a\"\\<é"`
	if got, appended := render(model.MarshalPostDatabaseID(id)), string(model.AppendPostDatabaseID(nil, id)); got != want || appended != want {
		t.Errorf("an external id shows as %s, and on a page as %s, want %s", got, appended, want)
	}
}

func TestAppendDateTime_FormatsAsPackageTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ms := rapid.Int64Range(-62_135_596_800_000, feed.MaxTime).Draw(t, "ms")
		want := time.UnixMilli(ms).UTC().Format(`"2006-01-02T15:04:05.000Z07:00"`)
		if got := string(model.AppendDateTime(nil, ms)); got != want {
			t.Fatalf("%d is %s, want %s", ms, got, want)
		}
	})
}

// wantPage checks what all connections have: the entries a and b in this order, and between which
// cursors they are.
func wantPage[E, N any](t *testing.T, edges, wantEdges []E, nodes, wantNodes []N, info model.PageInfo, hasNext bool) {
	t.Helper()
	if diff := cmp.Diff(wantEdges, edges) + cmp.Diff(wantNodes, nodes); diff != "" {
		t.Errorf("edges and nodes (-want +got):\n%s", diff)
	}
	first, last := "a", "b"
	if diff := cmp.Diff(model.PageInfo{HasNextPage: hasNext, HasPreviousPage: !hasNext, StartCursor: &first, EndCursor: &last}, info); diff != "" {
		t.Errorf("page info (-want +got):\n%s", diff)
	}
}

func TestFeedConnection_KeepsOrder(t *testing.T) {
	one, two := &feed.Post{ID: 1}, &feed.Post{ID: 2}
	page := &feed.Page{Entries: []feed.Entry{{Cursor: "a", Post: two}, {Cursor: "b", Post: one}}, HasNext: true}
	c := model.NewFeedConnection(5, feed.OutboxRef(6), feed.OfKinds(feed.KindPost), page)
	wantPage(t, c.Edges, []model.FeedEdge{{Cursor: "a", Node: two}, {Cursor: "b", Node: one}}, c.Nodes(), []*feed.Post{two, one}, c.PageInfo, true)
	if c.Viewer != 5 || c.Feed != feed.OutboxRef(6) || !c.Filter.Has(feed.KindPost) || c.Filter.Has(feed.KindRepost) {
		t.Errorf("newCount would not count in the same list: %+v", c)
	}
}

func TestUserConnection_KeepsOrder(t *testing.T) {
	one, two := &feed.User{ID: 1}, &feed.User{ID: 2}
	c := model.NewUserConnection(&feed.UserPage{Entries: []feed.UserEntry{{Cursor: "a", User: two}, {Cursor: "b", User: one}}, HasPrevious: true})
	wantPage(t, c.Edges, []model.UserEdge{{Cursor: "a", Node: two}, {Cursor: "b", Node: one}}, c.Nodes(), []*feed.User{two, one}, c.PageInfo, false)
}

func TestLiveConnection_KeepsOrder(t *testing.T) {
	one, two := &live.Session{ID: 1, State: live.Replay}, &live.Session{ID: 2, State: live.Live}
	entries := []live.PageEntry{{Cursor: "a", Session: two, State: live.Upcoming}, {Cursor: "b", Session: one, State: live.Replay}}
	c := model.NewLiveConnection(&live.Page{Entries: entries, HasNext: true, At: 7})
	edges := []model.LiveEdge{{Cursor: "a", Node: two, State: live.Upcoming}, {Cursor: "b", Node: one, State: live.Replay}}
	wantPage(t, c.Edges, edges, c.Nodes(), []*live.Session{two, one}, c.PageInfo, true)
	if c.SnapshotAt != 7 {
		t.Errorf("the list shows the moment %d, want 7", c.SnapshotAt)
	}
}

func TestPageInfo_EmptyPageHasNoCursors(t *testing.T) {
	feeds := model.NewFeedConnection(0, feed.HomeRef(), feed.Filter{}, &feed.Page{})
	users := model.NewUserConnection(&feed.UserPage{})
	sessions := model.NewLiveConnection(&live.Page{})
	for _, info := range []model.PageInfo{feeds.PageInfo, users.PageInfo, sessions.PageInfo} {
		if diff := cmp.Diff(model.PageInfo{}, info); diff != "" {
			t.Errorf("page info (-want +got):\n%s", diff)
		}
	}
	if feeds.Edges == nil || feeds.Nodes() == nil || users.Edges == nil || users.Nodes() == nil ||
		sessions.Edges == nil || sessions.Nodes() == nil {
		t.Error("an empty list is nil, which the schema does not allow")
	}
}

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
		"an unknown type":             encode("Thing:1"),
		"a type without an id":        encode("Post:"),
		"no colon":                    encode("Post1"),
		"the type in another case":    encode("post:1"),
		"a control character":         encode("Post:a\x00"),
		"invalid UTF-8":               encode("Post:\xff"),
		"too many bytes":              encode("Post:" + strings.Repeat("x", feed.MaxExternalID+1)),
		"padding":                     one + "=",
		"a line break":                one + "\n",
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
