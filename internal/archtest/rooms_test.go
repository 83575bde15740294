//go:build !race

package archtest_test

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// room is a part of the program: the packages in a folder, without those of rooms inside it.
type room struct {
	// imports are the other rooms that packages of this room may import, tests excepted.
	imports []string
	// lines is the most code that the room may have, as scripts/lines.sh counts product. A commit
	// that raises it says what the room gets for it.
	lines int
}

var rooms = map[string]room{
	"feed":               {[]string{"internal/kit"}, 12_697},
	"feed/records":       {[]string{"feed", "internal/kit"}, 4_650},
	"feed/sqlstore":      {[]string{"feed", "feed/records", "internal/kit"}, 10_843},
	"feed/redisstore":    {[]string{"feed", "internal/kit"}, 2100},
	"feed/lrucache":      {[]string{"feed"}, 620},
	"graph":              {[]string{"feed", "internal/kit"}, 1250},
	"resolvers":          {[]string{"feed", "graph", "internal/edge"}, 3_964},
	"internal/edge":      {[]string{"feed", "internal/kit"}, 7_340},
	"internal/kit":       {nil, 1340},
	"internal/telemetry": {[]string{"feed"}, 1000},
	"internal/upstream":  {[]string{"api/tideline/v1", "api/tideline/v1/tidelinev1connect", "feed", "feed/lrucache", "internal/kit"}, 995},
	"tasks":              {[]string{"feed", "internal/kit"}, 1500},
	"web":                {[]string{"internal/kit"}, 300},
	"connect":            {[]string{"feed", "feed/records", "feed/redisstore", "internal/kit"}, 10_395},
	"internal/app": {[]string{
		"feed", "feed/lrucache", "feed/records", "feed/redisstore", "feed/sqlstore", "graph", "internal/demo", "internal/edge", "internal/kit",
		"internal/telemetry", "internal/upstream", "resolvers", "tasks", "web",
	}, 3800},
	"internal/cli": {[]string{
		"connect", "feed", "feed/records", "feed/redisstore", "feed/sqlstore", "internal/app", "internal/edge", "internal/kit", "internal/licenses", "tasks", "web",
	}, 3400},
}

// exceptions are imports across rooms that the table does not allow, with the reason.
var exceptions = map[[2]string]string{
	{"feed/feedtest/fixture", "feed/sqlstore"}:               "tests of the domain use a real store",
	{"feed/feedtest/fixture", "internal/testenv/sqlitetest"}: "tests of the domain use a real store",
	{"feed/records/ingest", "internal/edge/apierror"}:        "responses to POST /ingest have error codes",
}

// roomOf returns the room of a package, or the package if it is in none.
func roomOf(pkg string) string {
	for dir := pkg; dir != "."; dir = path.Dir(dir) {
		if _, ok := rooms[dir]; ok {
			return dir
		}
	}
	return pkg
}

// rules has what each package imports; TestModule_KeepsItsRules compares it with the files.
func TestRooms_ImportOnlyAllowedRooms(t *testing.T) {
	excepted := map[[2]string]bool{}
	for pkg, imports := range rules.Packages {
		from, ok := rooms[roomOf(pkg)]
		if !ok {
			continue
		}
		for _, imported := range imports {
			edge, to := [2]string{pkg, imported}, roomOf(imported)
			if to == roomOf(pkg) || slices.Contains(from.imports, to) {
				continue
			}
			if excepted[edge] = true; exceptions[edge] == "" {
				t.Errorf("%s imports %s, but room %s may import only %q", pkg, imported, roomOf(pkg), from.imports)
			}
		}
	}
	for edge := range exceptions {
		if !excepted[edge] {
			t.Errorf("%s needs no exception for %s any more", edge[0], edge[1])
		}
	}
}

// productLines is a line of scripts/lines.sh: a room and its lines of product code.
var productLines = regexp.MustCompile(`(?m)^(\S+) +(\d+) +\d+`)

func TestRooms_KeepTheirCeilings(t *testing.T) {
	seen := 0
	for _, line := range productLines.FindAllStringSubmatch(run(t, "scripts/lines.sh"), -1) {
		limit, ok := rooms[line[1]]
		if !ok {
			continue
		}
		seen++
		if n, err := strconv.Atoi(line[2]); err != nil || n > limit.lines {
			t.Errorf("room %s has %s lines of code, more than %d", line[1], line[2], limit.lines)
		}
	}
	if seen != len(rooms) {
		t.Errorf("scripts/lines.sh counts %d of %d rooms", seen, len(rooms))
	}
}
