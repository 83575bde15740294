//go:build !race

package archtest_test

import (
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/archtest"
)

// rules is the structure of this module. The domain imports no adapter, adapters import the domain
// and never each other, and only app imports them all.
var rules = archtest.Rules{
	Module: "github.com/tideline-feeds/tideline",
	Nested: []string{"bench", "clients/go", "tests"},

	Packages: map[string][]string{
		// The domain: the types that its parts and the stores share.
		"feed":       {"feed/texts"},
		"feed/texts": {},
		// The exact read, and what makes it faster.
		"feed/timeline":    {"feed"},
		"feed/lists":       {"feed", "feed/delta", "feed/timeline"},
		"feed/viewercache": {"feed", "feed/timeline"},
		// Other capabilities of feeds, a package each.
		"feed/changes":   {"feed", "feed/inbox"},
		"feed/delta":     {"feed", "feed/live"},
		"feed/examine":   {"feed"},
		"feed/fanout":    {"feed"},
		"feed/inbox":     {"feed"},
		"feed/live":      {"feed", "feed/people", "feed/texts", "feed/timeline", "feed/viewercache"},
		"feed/people":    {"feed", "feed/texts", "internal/kit/expiring"},
		"feed/positions": {"feed", "internal/kit/batch"},
		"feed/publish":   {"feed", "feed/people"},
		"feed/slots":     {"feed"},
		"feed/subscribe": {"feed", "feed/delta", "feed/live"},

		// Change records: their format, and how they are applied.
		"feed/records":        {"feed", "feed/live", "feed/people", "feed/publish", "feed/texts", "feed/timeline", "internal/kit/wellformed"},
		"feed/records/apply":  {"feed", "feed/live"},
		"feed/records/ingest": {"feed", "feed/inbox", "internal/kit/fairshare", "feed/records", "internal/kit/wellformed", "internal/edge/apierror"},

		// What stores it, each alone.
		"feed/feedtest":            {"feed", "feed/changes", "feed/delta", "feed/examine", "feed/fanout", "feed/inbox", "feed/lists", "feed/live", "feed/people", "feed/publish", "feed/subscribe", "feed/timeline", "feed/viewercache", "internal/kit/eventually"},
		"feed/feedtest/fixture":    {"feed", "feed/examine", "feed/feedtest", "feed/inbox", "feed/publish", "feed/sqlstore", "feed/timeline", "internal/testenv/sqlitetest"},
		"feed/redisstore":          {"feed", "feed/live", "internal/kit/circuit", "internal/kit/batch", "internal/kit/hashslot"},
		"feed/sqlstore":            {"feed", "feed/records/apply", "feed/live", "feed/sqlstore/migrations", "feed/texts", "internal/kit/batch"},
		"feed/sqlstore/migrations": {},
		"feed/lrucache":            {"feed", "feed/changes", "feed/live", "feed/viewercache"},

		// What requests pass first.
		"internal/edge/apierror":  {"feed"},
		"internal/edge/gateway":   {"feed", "internal/kit/wellformed"},
		"internal/edge/guard":     {"feed", "internal/kit/fairshare", "internal/kit/wellformed", "internal/edge/apierror"},
		"internal/edge/transport": {"feed", "internal/kit/fairshare", "internal/kit/httpbody", "internal/kit/wellformed", "internal/edge/apierror"},

		// The server. Resolvers and tasks never import each other: the domain's Queue is between
		// them.
		"graph":             {"feed", "feed/live", "graph/model", "graph/pagejson"},
		"graph/model":       {"feed", "feed/live", "feed/slots", "internal/kit/wellformed"},
		"graph/pagejson":    {"feed", "feed/live", "graph/model"},
		"resolvers":         {"feed", "feed/fanout", "feed/live", "feed/people", "feed/positions", "feed/publish", "feed/slots", "feed/subscribe", "graph", "graph/model", "graph/pagejson", "internal/edge/apierror", "internal/edge/guard", "resolvers/loaders", "internal/edge/transport"},
		"resolvers/sdl":     {"feed", "graph", "internal/edge/guard"},
		"resolvers/loaders": {"feed", "feed/live", "feed/people", "feed/slots"},
		"tasks":             {"feed", "feed/live", "internal/kit/batch", "internal/kit/circuit", "internal/kit/hashslot"},
		"web":               {"internal/kit/httpbody"},

		// The protocol of services that have contents, its client, and an example of such services.
		"api/tideline/v1":                   {},
		"api/tideline/v1/tidelinev1connect": {"api/tideline/v1"},
		"internal/upstream":                 {"api/tideline/v1", "api/tideline/v1/tidelinev1connect", "feed", "feed/lrucache", "feed/slots", "internal/kit/circuit", "internal/kit/wellformed"},
		"deploy/beside/upstream":            {"api/tideline/v1", "api/tideline/v1/tidelinev1connect"},

		"clients/go": {},

		// What attaches other systems.
		"connect/bus":            {"feed", "feed/redisstore", "connect/mapping", "feed/records", "feed/records/ingest"},
		"connect/compare":        {"feed", "feed/examine", "feed/records/apply", "feed/records"},
		"connect/mapping":        {},
		"connect/mirror":         {"feed", "feed/records/apply", "connect/compare", "feed/records/ingest", "connect/mapping", "feed/records"},
		"connect/mirror/propose": {"feed", "connect/mapping", "connect/mirror"},
		"connect/shadow":         {"feed", "feed/examine", "connect/mapping", "internal/kit/wellformed"},

		// Helpers that know nothing of feeds.
		"internal/kit/batch":      {},
		"internal/kit/circuit":    {},
		"internal/kit/eventually": {},
		"internal/kit/expiring":   {},
		"internal/kit/fairshare":  {},
		"internal/kit/hashslot":   {},
		"internal/kit/httpbody":   {},
		"internal/kit/pipenet":    {},
		"internal/kit/warnings":   {},
		"internal/kit/wellformed": {},

		// Other helpers.
		"internal/telemetry":  {"feed", "feed/subscribe"},
		"internal/demo":       {"feed", "feed/live"},
		"internal/cmd/schema": {"graph"},
		"internal/licenses":   {},
		"internal/testenv":    {"internal/kit/eventually"},
		"internal/archtest":   {},

		"internal/testenv/sqlitetest": {"feed", "feed/sqlstore", "internal/testenv"},

		// The composition root and the command line.
		"internal/app": {
			"feed", "feed/changes", "feed/delta", "feed/fanout", "feed/inbox", "feed/lists", "feed/live", "feed/lrucache", "feed/people", "feed/positions", "feed/publish", "feed/redisstore", "feed/sqlstore", "feed/subscribe",
			"feed/timeline", "feed/viewercache", "graph", "graph/model", "graph/pagejson", "internal/kit/batch", "internal/demo", "internal/kit/fairshare", "internal/edge/gateway", "internal/kit/httpbody", "feed/records/ingest", "feed/records", "internal/telemetry", "internal/upstream",
			"internal/kit/warnings", "resolvers", "internal/edge/guard", "resolvers/loaders", "resolvers/sdl", "internal/edge/transport", "tasks", "web",
		},
		"internal/cli": {
			"feed", "feed/examine", "feed/fanout", "feed/inbox", "feed/live", "feed/redisstore", "feed/sqlstore", "feed/timeline", "internal/app", "connect/bus", "connect/compare", "internal/edge/gateway", "internal/licenses", "connect/mirror", "connect/mirror/propose",
			"feed/records", "feed/records/ingest", "connect/shadow", "internal/kit/warnings", "tasks", "web",
		},
		archtest.Main: {"internal/cli"},

		// Benchmarks, a separate module.
		"bench":               {},
		"bench/capacity":      {},
		"bench/loadgen/world": {},
		"bench/loadgen/drive": {},
		"bench/loadgen/page":  {"clients/go", "bench/loadgen/drive", "bench/loadgen/world"},
		"bench/cmd/loadgen":   {"feed", "feed/redisstore", "feed/sqlstore", "bench/loadgen/drive", "bench/loadgen/page", "bench/loadgen/world"},
		"bench/cmd/simulate":  {"bench/capacity"},
		"bench/cmd/ingestlag": {},
		// A server to compare with; it shares no code.
		"bench/peers/rest": {},

		// Tests that drive the program, a separate module.
		"tests/harness": {"clients/go", "feed", "feed/redisstore", "feed/sqlstore", "internal/app", "internal/cli", "internal/kit/eventually", "internal/edge/gateway", "internal/testenv"},
	},

	Libraries: map[string][]string{
		// Each library is used in one package. The tasks pass asynq a go-redis client that waits
		// for them, and find the messages that it cannot decode.
		"github.com/graph-gophers/dataloader/v7": {"resolvers/loaders"},
		"github.com/hashicorp/golang-lru/v2":     {"feed/lrucache", "internal/edge/gateway"},
		"connectrpc.com/connect":                 {"api/tideline/v1/tidelinev1connect", "deploy/beside/upstream", "internal/upstream"},
		"google.golang.org/protobuf":             {"api/tideline/v1", "deploy/beside/upstream", "internal/upstream", "tasks"},
		"github.com/redis/go-redis/v9":           {"feed/redisstore", "connect/bus", "tasks", "bench/peers/rest"},
		"cel.dev/cel-go":                         {"connect/mapping"},
		"go.yaml.in/yaml/v3":                     {"connect/mapping"},
		"github.com/nats-io/nats.go":             {"connect/bus"},
		"github.com/twmb/franz-go":               {"connect/bus"},
		"github.com/hibiken/asynq":               {"tasks"},
		"github.com/hibiken/asynqmon":            {"tasks"},
		"github.com/golang-jwt/jwt/v5":           {"internal/edge/gateway", "bench/peers/rest"},
		"github.com/MicahParks/jwkset":           {"internal/edge/gateway"},
		"github.com/prometheus/client_golang":    {"internal/telemetry"},
		"go.opentelemetry.io/otel":               {"internal/telemetry"},
		"github.com/google/pprof":                {"bench"},
		"github.com/alecthomas/kong":             {"internal/cli"},
		"github.com/agnivade/levenshtein":        {"internal/cli"},
		"github.com/schollz/progressbar/v3":      {"internal/cli"},
		"golang.org/x/term":                      {"internal/cli"},
		"github.com/alicebob/miniredis/v2":       {"feed/redisstore"},
		"github.com/mtibben/confusables":         {"feed/texts"},
		"golang.org/x/text":                      {"feed/texts"},

		// GraphQL: the schema's code with what generates it, its resolvers, and the
		// transports they are reached through.
		"github.com/99designs/gqlgen":    {"graph", "graph/model", "graph/pagejson", "resolvers", "internal/edge/guard", "internal/edge/transport", "internal/edge/gateway"},
		"github.com/vektah/gqlparser/v2": {"graph", "graph/pagejson", "resolvers", "internal/edge/apierror", "internal/edge/guard", "resolvers/sdl", "internal/edge/transport", "internal/edge/gateway", "clients/go", "tests/harness"},
		"github.com/coder/websocket":     {"internal/edge/transport"},
		"github.com/Khan/genqlient":      {"clients/go", "tests/harness"},
		"github.com/klauspost/compress":  {"internal/kit/httpbody"},

		// Times of requests.
		"github.com/HdrHistogram/hdrhistogram-go": {"bench/loadgen/drive"},

		// SQL. Test databases are made in testenv.
		"database/sql":                 {"feed/sqlstore", "feed/sqlstore/migrations", "internal/testenv/sqlitetest"},
		"github.com/jackc/pgx/v5":      {"feed/sqlstore", "internal/cli", "connect/mirror", "connect/mirror/propose", "internal/testenv", "tests/harness", "bench/peers/rest"},
		"github.com/jackc/pglogrepl":   {"connect/mirror"},
		"github.com/pressly/goose/v3":  {"feed/sqlstore", "feed/sqlstore/migrations"},
		"github.com/uptrace/bun":       {"feed/sqlstore"},
		"modernc.org/sqlite":           {"feed/sqlstore"},
		"golang.org/x/sync":            {"feed/examine", "feed/feedtest", "feed/inbox", "feed/lrucache", "feed/redisstore", "feed/sqlstore", "resolvers/loaders", "internal/app", "internal/cli", "internal/kit/batch", "feed/records/ingest", "connect/mirror", "internal/upstream", "tasks"},
		"golang.org/x/time":            {"internal/cli", "connect/shadow", "internal/upstream"},
		"github.com/cenkalti/backoff":  {"connect/shadow"},
		"github.com/google/go-cmp/cmp": {"feed/feedtest"},
		"pgregory.net/rapid":           {"feed/feedtest"},
	},

	Root: []string{"server.go", "server_test.go"},

	Crowded: map[string]int{
		// The suites that every backend passes: tests.
		"feed/feedtest": archtest.NoLimit,
		// One package, because its statements share tables, dialects and transactions.
		"feed/sqlstore": archtest.NoLimit,
	},
}

// The module keeps its own rules.
func TestModule_KeepsItsRules(t *testing.T) {
	problems, err := archtest.Check(openCheckout(t), rules)
	check(t, err)
	for _, problem := range problems {
		t.Error(problem)
	}
}

// A test file in the package that it tests makes Go compile the package again for its tests, with all
// that imports it. For what the stores import that is half a minute of a processor.
func TestPackages_BelowStoresAreTestedFromOutside(t *testing.T) {
	const stores = "feed/feedtest/fixture"
	for pkg := range rules.Packages {
		if !reaches(stores, pkg) || pkg == "feed/sqlstore" { // its tests set clocks and limits
			continue
		}
		inside, outside := testsOf(t, pkg)
		if inside && slices.ContainsFunc(outside, func(imported string) bool { return reaches(imported, stores) }) {
			t.Errorf("package %s has tests inside and outside; name the package of the former %s_test", pkg, path.Base(pkg))
		}
	}
}

// reaches reports whether a package imports another, or something that does.
func reaches(from, to string) bool {
	return from == to || slices.ContainsFunc(rules.Packages[from], func(next string) bool { return reaches(next, to) })
}

// testsOf reports whether files of tests are inside a package, and returns what those outside import.
func testsOf(t *testing.T, pkg string) (inside bool, outside []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", pkg, "*_test.go"))
	check(t, err)
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		check(t, err)
		if !strings.HasSuffix(parsed.Name.Name, "_test") {
			inside = true
			continue
		}
		for _, i := range parsed.Imports {
			outside = append(outside, strings.TrimPrefix(strings.Trim(i.Path.Value, `"`), rules.Module+"/"))
		}
	}
	return inside, outside
}
