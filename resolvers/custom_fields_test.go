package resolvers_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

func TestCustomFields_AreAsStored(t *testing.T) {
	w := newWorld(t)
	const custom = `{"size":1.50,"id":12345678901234567890,"ü<":["é",null]}`
	eve := &feed.User{ID: 9, Handle: "eve", Name: "EVE", Custom: custom, CreatedAt: epoch}
	_, err := w.store.EnsureUser(context.Background(), eve)
	noError(t, err)
	w.follow(1, 9)
	w.post(10, 9, func(p *feed.Post) { p.Custom = custom })
	w.post(11, 9)
	for query, want := range map[string]string{
		`{"query":"{ viewer { homeFeed { nodes { customFields author { customFields } } } } }"}`: `{"data":{"viewer":{"homeFeed":{"nodes":[` +
			`{"customFields":null,"author":{"customFields":` + custom + `}},{"customFields":` + custom + `,"author":{"customFields":` + custom + `}}]}}}`,
		`{"query":"{ post(databaseId: \"10\") { customFields } user(databaseId: \"9\") { customFields } }"}`: `{"data":{"post":{"customFields":` + custom + `},"user":{"customFields":` + custom + `}}`,
		`{"query":"{ user(databaseId: \"1\") { customFields } }"}`:                                           `{"data":{"user":{"customFields":null}}`,
	} {
		if got := w.sendBody(1, query).Body.String(); !strings.HasPrefix(got, want) {
			t.Errorf("%s returns %s, want %s", query, got, want)
		}
	}
	w.mutate(1, "muteUser", userID(9))
	w.relate(feed.RelationBlock, 9, 1)
	withheld := w.must(1, `{ viewer { mutedUsers { nodes { unavailable customFields } } } }`, nil).at(t, "viewer.mutedUsers.nodes.0").(map[string]any)
	wantEqual(t, value(`{"unavailable":true,"customFields":null}`), any(withheld), "a user who blocks the viewer")
}
