package bench_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/bench/loadgen/page"
)

// listSizes are the numbers of members of the lists to measure.
var listSizes = []int{10, 2000, 5000}

// BenchmarkLists compares the CPU time of the first page of a list with that of a warm home page of a viewer
// with 2,000 followees, in turns. scripts/bench.sh runs it with BENCH=lists. It stores nothing.
func BenchmarkLists(b *testing.B) {
	r := newReport(b, "BENCH=lists scripts/bench.sh", true)
	size := quickSize
	size.Users = int64(slices.Max(listSizes)) + 100
	s := newSite(b, size, smallThreshold)
	c := &changesBench{site: s, first: s.size.Last() + 1}
	c.importViewers()
	c.server = s.tideline("TIDELINE_RATE_LIMIT=0")
	warm := c.requests(many2000, page.Home, func(int64) map[string]any { return map[string]any{"first": page.Size} }, checkPage)
	c.server.warm(b, warm)
	contenders := []contender{c.costing("page", warm)}
	for _, members := range listSizes {
		contenders = append(contenders, c.costing(fmt.Sprint("list ", members), c.listPages(members)))
	}
	s.settle()
	got := figures{}
	must(b, got.measure(b.Context(), changesRounds, contenders, tell))
	r.Figures = got
	r.Compare(bench.Lists())
	must(b, r.Table(os.Stderr))
}

// listPages makes a list of that many users for each viewer of a group, and returns requests for its first page.
func (c *changesBench) listPages(members int) *page.RequestSet {
	c.b.Helper()
	id := func(viewer int64) int64 { return viewer<<16 | int64(members) }
	for _, viewer := range c.group(many2000) {
		c.server.place.exec(`INSERT INTO author_lists (id, owner_id, name, is_public, members, created_at) VALUES ($1, $2, 'list', 0, $3, $3)`, id(viewer), viewer, members)
		c.server.place.exec(`INSERT INTO list_members (list_id, user_id, added_at) SELECT $1, u, 0 FROM generate_series(1, $2::bigint) AS u`, id(viewer), members)
	}
	c.server.place.analyze()
	query := strings.NewReplacer("query HomePage(", "query ListPage($id: ID!, ", "viewer {", "node(id: $id) { ... on AuthorList {", "homeFeed(", "feed(").Replace(page.Home) + "}"
	return c.requests(many2000, query, func(viewer int64) map[string]any {
		return map[string]any{"first": page.Size, "id": c.latestList(viewer)}
	}, checkPage)
}

// latestList returns the global id of the list of a viewer that was made last.
func (c *changesBench) latestList(viewer int64) string {
	c.b.Helper()
	wire, err := page.Wire(c.server.Addr, page.Token(secret, viewer, time.Now().Add(time.Hour)), `{ viewer { lists { id } } }`, nil)
	must(c.b, err)
	body, err := page.Fetch(c.b.Context(), c.server.Addr, wire)
	must(c.b, err)
	var got struct {
		Data struct {
			Viewer struct{ Lists []struct{ ID string } }
		}
	}
	must(c.b, json.Unmarshal(body, &got))
	return got.Data.Viewer.Lists[0].ID
}
