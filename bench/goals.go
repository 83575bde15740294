package bench

import (
	"cmp"
	"slices"
	"strings"
)

// Goal is one comparison: the ratio of two contenders' figures.
type Goal struct {
	// ID names the comparison in results.
	ID string
	// What describes the comparison.
	What string
	// Over and Under name the figures. Without Under the goal applies to the figure itself.
	Over, Under string
	// Goal is the minimum of the ratio, or with AtMost the maximum.
	Goal   float64
	AtMost bool
	// Unit is the unit of the figures, empty for rates.
	Unit string
}

// Bounds returns the comparisons of an uncached page, and of its reads alone, with their bounds.
// Names that end in "most" are rates of processors that never wait, computed from their CPU time.
func Bounds() []Goal {
	most := func(name, what string) Goal {
		id := strings.ReplaceAll(name, " ", "-") + "-most/mercurius"
		return Goal{ID: id, What: what, Over: name + " most", Under: "mercurius most", Goal: 3.5}
	}
	return []Goal{
		{ID: "uncached/mercurius", What: "nothing cached / Mercurius", Over: "uncached", Under: "mercurius", Goal: 3.5},
		most("uncached", "nothing cached / Mercurius, by processor time"),
		most("reads", "its reads, then bytes from memory / Mercurius, by processor time"),
		most("lean", "its reads without counters, then bytes from memory / Mercurius, by processor time"),
		most("lean page", "its reads without counters, then a warm page / Mercurius, by processor time"),
		{ID: "lean-page/mercurius", What: "its reads without counters, then a warm page / Mercurius, processors as busy as with a warm page", Over: "lean page", Under: "mercurius", Goal: 3.5},
	}
}

// Upstreams returns the comparisons of pages whose contents, profiles and counters are at services.
func Upstreams() []Goal {
	return []Goal{
		{ID: "asking/hive", What: "three services asked for each page / Hive Gateway", Over: "asking micros", Under: "hive micros", Goal: 0.25, AtMost: true, Unit: "µs"},
		{ID: "slots/one", What: "a page with slots / with one call of a service, both without further ones", Over: "slots micros", Under: "one micros", Goal: 1, AtMost: true, Unit: "µs"},
		{ID: "cached/hive", What: "posts and profiles cached for a minute / Hive Gateway", Over: "cached micros", Under: "hive micros", Goal: 0.25, AtMost: true, Unit: "µs"},
	}
}

// Lists returns the comparisons of the first page of a list with a warm home page, by CPU time.
func Lists() []Goal {
	var goals []Goal
	for members, goal := range map[string]float64{"10": 0.5, "2000": 1.5, "5000": 4} {
		goals = append(goals, Goal{
			ID: "list-" + members, What: "a list of " + members + " members / a warm home page with 2,000 followees",
			Over: "list " + members + " micros", Under: "page micros", Goal: goal, AtMost: true, Unit: "µs",
		})
	}
	slices.SortFunc(goals, func(a, b Goal) int { return cmp.Compare(a.Goal, b.Goal) })
	return goals
}

// Changes returns the comparisons of changes of a home feed with a warm page, and of changes of a live
// feed with a page of it, by CPU time.
func Changes() []Goal {
	return append(changesOf("", ""), changesOf("live ", "live feed: ")...)
}

// changesOf returns the comparisons of one feed. prefix begins the names of its figures.
func changesOf(prefix, what string) []Goal {
	id := strings.ReplaceAll(prefix, " ", "-")
	var goals []Goal
	for _, viewer := range []struct {
		followees, name string
		goal            float64
	}{{"300", "300", 0.5}, {"2,000", "2000", 1}} {
		for _, since := range []struct{ posts, name string }{{"none", "0"}, {"250", "250"}, {"10,000", "10000"}} {
			goals = append(goals, Goal{
				ID:   id + "none-" + viewer.name + "-" + since.name,
				What: what + "no changes, " + viewer.followees + " followees; posts by others since: " + since.posts,
				Over: prefix + "none " + viewer.name + "/" + since.name + " micros", Under: prefix + "page " + viewer.name + " micros",
				Goal: viewer.goal, AtMost: true, Unit: "µs",
			})
		}
	}
	return append(goals, Goal{
		ID: id + "hundred", What: what + "a hundred changes, 2,000 followees; posts by others since: 10,000",
		Over: prefix + "hundred micros", Under: prefix + "page changed micros", Goal: 3, AtMost: true, Unit: "µs",
	})
}

// Goals returns all comparisons in display order. Figures with the suffix "p50" or "p99" are
// latencies in microseconds. All others are requests or entries per second, unless What names
// another unit.
func Goals() []Goal {
	return []Goal{
		{ID: "warm/prebuilt", What: "warm home feed / prebuilt", Over: "warm", Under: "prebuilt", Goal: 0.25},
		{ID: "warm/mercurius", What: "warm home feed / Mercurius", Over: "warm", Under: "mercurius", Goal: 7},
		{ID: "warm/mercurius-lru", What: "warm home feed / Mercurius with LRU, cluster of two", Over: "warm", Under: "mercurius-lru", Goal: 3},
		{ID: "uncached/mercurius", What: "nothing cached / Mercurius", Over: "uncached", Under: "mercurius", Goal: 3.5},
		{ID: "uncached/mercurius-p99", What: "nothing cached / Mercurius, p99 at one request rate", Over: "uncached offered p99", Under: "mercurius offered p99", Goal: 1, AtMost: true},
		{ID: "execution/prebuilt", What: "GraphQL execution, data in memory / prebuilt", Over: "execution", Under: "execution prebuilt", Goal: 0.40},
		{ID: "sql/mercurius-sql", What: "SQL inbox / Mercurius with inboxes in SQL", Over: "sql", Under: "mercurius-sql", Goal: 4},
		{ID: "sql/mercurius-pull", What: "SQL inbox / Mercurius with SQL pull", Over: "sql", Under: "mercurius-pull", Goal: 10},
		{ID: "live/prebuilt", What: "live feed, viewers with up to 10 hosts / prebuilt", Over: "live", Under: "prebuilt-live", Goal: 0.25},
		{ID: "p50/bare", What: "p50 of a page / of one without fields that loaders fetch", Over: "page1 p50", Under: "bare p50", Goal: 1.3, AtMost: true},
		{ID: "follows", What: "p50 with 2,000 followees / with 10", Over: "many p50", Under: "few p50", Goal: 1.2, AtMost: true},
		{ID: "depth", What: "p50 of page 15 / of page 1", Over: "page15 p50", Under: "page1 p50", Goal: 1.3, AtMost: true},
		{ID: "cold", What: "p50 of a cold viewer with 2,000 followees / of a warm one", Over: "cold p50", Under: "many p50", Goal: 5, AtMost: true},
		{ID: "page/filter", What: "inbox page by cursor / fetching all older entries and filtering", Over: "inbox page", Under: "inbox filter", Goal: 9},
		{ID: "bytes", What: "Redis bytes per entry of an inbox with 300 entries", Over: "bytes", Goal: 45, AtMost: true},
		{ID: "push", What: "pushes into such inboxes / into sorted sets of 300, ZADD and trim", Over: "inbox push", Under: "set push", Goal: 0.8},
		{ID: "fanout/zadd", What: "fan-out, Asynq and trims included / redis-benchmark -c1 -P1000 ZADD into 10,000 sets", Over: "fanout", Under: "zadd", Goal: 1},
		{ID: "fanout-apart/zadd", What: "fan-out, one post per task / the same redis-benchmark", Over: "fanout apart", Under: "zadd apart", Goal: 1},
		{ID: "fanout/bullmq", What: "fan-out, one post per task / BullMQ with slices of the same size", Over: "fanout apart", Under: "bullmq", Goal: 1.5},
		{ID: "publish", What: "seconds from publish until all 10,000 followers can read it, idle", Over: "publish", Goal: 0.15, AtMost: true},
	}
}
