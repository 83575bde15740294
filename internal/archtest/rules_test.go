//go:build !race

package archtest_test

import (
	"os"
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
		"feed/doctor":    {"feed", "feed/explain"},
		"feed/explain":   {"feed"},
		"feed/fanout":    {"feed"},
		"feed/inbox":     {"feed"},
		"feed/live":      {"feed", "feed/people", "feed/texts", "feed/timeline", "feed/viewercache"},
		"feed/people":    {"feed", "feed/texts"},
		"feed/positions": {"feed", "internal/batch"},
		"feed/publish":   {"feed", "feed/people"},
		"feed/subscribe": {"feed", "feed/delta", "feed/live"},

		// What stores it, each alone.
		"feed/feedtest":            {"feed", "feed/changes", "feed/delta", "feed/explain", "feed/fanout", "feed/inbox", "feed/lists", "feed/live", "feed/people", "feed/publish", "feed/subscribe", "feed/timeline", "feed/viewercache", "internal/eventually"},
		"feed/feedtest/fixture":    {"feed", "feed/doctor", "feed/explain", "feed/feedtest", "feed/inbox", "feed/memstore", "feed/publish", "feed/timeline"},
		"feed/apply":               {"feed", "feed/live"},
		"feed/memstore":            {"feed", "feed/apply", "feed/live", "feed/texts"},
		"feed/redisstore":          {"feed", "feed/live", "internal/circuit", "internal/batch", "internal/hashslot"},
		"feed/sqlstore":            {"feed", "feed/apply", "feed/live", "feed/sqlstore/migrations", "feed/texts", "internal/batch"},
		"feed/sqlstore/migrations": {},
		"feed/lrucache":            {"feed", "feed/changes", "feed/live", "feed/viewercache"},

		// The server. Resolvers and tasks never import each other: the domain's Queue is between
		// them.
		"graph":               {"feed", "feed/live", "graph/model", "graph/pagejson"},
		"graph/model":         {"feed", "feed/live", "internal/wellformed"},
		"graph/pagejson":      {"feed", "feed/live", "graph/model"},
		"resolvers":           {"feed", "feed/fanout", "feed/live", "feed/people", "feed/positions", "feed/publish", "feed/subscribe", "graph", "graph/model", "graph/pagejson", "resolvers/apierror", "resolvers/guard", "resolvers/loaders", "resolvers/transport"},
		"resolvers/apierror":  {"feed"},
		"resolvers/guard":     {"feed", "internal/fairshare", "internal/wellformed", "resolvers/apierror"},
		"resolvers/sdl":       {"feed", "graph", "resolvers/guard"},
		"resolvers/loaders":   {"feed", "feed/live", "feed/people"},
		"resolvers/transport": {"feed", "internal/fairshare", "internal/httpbody", "internal/wellformed", "resolvers/apierror"},
		"tasks":               {"feed", "feed/live", "internal/batch", "internal/circuit", "internal/hashslot"},
		"web":                 {"internal/httpbody"},

		// The protocol of services that have contents, its client, and an example of such services.
		"api/tideline/v1":                   {},
		"api/tideline/v1/tidelinev1connect": {"api/tideline/v1"},
		"internal/upstream":                 {"api/tideline/v1", "api/tideline/v1/tidelinev1connect", "feed", "feed/lrucache", "internal/circuit", "internal/wellformed"},
		"deploy/beside/upstream":            {"api/tideline/v1", "api/tideline/v1/tidelinev1connect"},

		"clients/go": {},

		// Internal helpers.
		"internal/gateway":        {"feed", "internal/wellformed"},
		"internal/telemetry":      {"feed", "feed/subscribe"},
		"internal/bus":            {"feed", "feed/redisstore", "internal/ingest"},
		"internal/mapping":        {},
		"internal/compare":        {"feed", "feed/apply", "internal/records"},
		"internal/mirror":         {"feed", "feed/apply", "internal/compare", "internal/ingest", "internal/mapping", "internal/records"},
		"internal/ingest":         {"feed", "feed/inbox", "internal/fairshare", "internal/mapping", "internal/records", "internal/wellformed", "resolvers/apierror"},
		"internal/mirror/propose": {"feed", "internal/mirror"},
		"internal/shadow":         {"feed", "feed/explain", "internal/mapping", "internal/wellformed"},
		"internal/records":        {"feed", "feed/live", "feed/people", "feed/publish", "feed/texts", "feed/timeline", "internal/wellformed"},
		"internal/demo":           {"feed", "feed/live"},
		"internal/cmd/schema":     {"graph"},
		"internal/licenses":       {},
		"internal/testenv":        {"internal/eventually"},
		"internal/eventually":     {},
		"internal/pipenet":        {},
		"internal/fairshare":      {},
		"internal/hashslot":       {},
		"internal/archtest":       {},
		"internal/circuit":        {},
		"internal/batch":          {},
		"internal/wellformed":     {},
		"internal/httpbody":       {},
		"internal/warnings":       {},

		// The composition root and the command line.
		"internal/app": {
			"feed", "feed/changes", "feed/delta", "feed/fanout", "feed/inbox", "feed/lists", "feed/live", "feed/lrucache", "feed/people", "feed/positions", "feed/publish", "feed/redisstore", "feed/sqlstore", "feed/subscribe",
			"feed/timeline", "feed/viewercache", "graph", "graph/pagejson", "internal/batch", "internal/bus", "internal/compare", "internal/demo", "internal/fairshare", "internal/gateway", "internal/httpbody", "internal/ingest", "internal/mapping", "internal/mirror", "internal/records", "internal/telemetry", "internal/upstream",
			"internal/warnings", "resolvers", "resolvers/guard", "resolvers/loaders", "resolvers/sdl", "resolvers/transport", "tasks", "web",
		},
		"internal/cli": {
			"feed", "feed/doctor", "feed/explain", "feed/fanout", "feed/inbox", "feed/live", "feed/redisstore", "feed/sqlstore", "feed/timeline", "internal/app", "internal/compare", "internal/gateway", "internal/licenses", "internal/mirror", "internal/mirror/propose",
			"internal/records", "internal/shadow", "internal/warnings", "tasks", "web",
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
		"tests/harness": {"clients/go", "feed", "feed/redisstore", "feed/sqlstore", "internal/app", "internal/cli", "internal/eventually", "internal/gateway", "internal/testenv"},
	},

	Libraries: map[string][]string{
		// Each library is used in one package. The tasks pass asynq a go-redis client that waits
		// for them, and find the messages that it cannot decode.
		"github.com/graph-gophers/dataloader/v7": {"resolvers/loaders"},
		"github.com/hashicorp/golang-lru/v2":     {"feed/lrucache", "internal/gateway"},
		"connectrpc.com/connect":                 {"api/tideline/v1/tidelinev1connect", "deploy/beside/upstream", "internal/upstream"},
		"google.golang.org/protobuf":             {"api/tideline/v1", "deploy/beside/upstream", "internal/upstream", "tasks"},
		"github.com/redis/go-redis/v9":           {"feed/redisstore", "internal/bus", "tasks", "bench/peers/rest"},
		"cel.dev/cel-go":                         {"internal/mapping"},
		"go.yaml.in/yaml/v3":                     {"internal/mapping"},
		"github.com/nats-io/nats.go":             {"internal/bus"},
		"github.com/twmb/franz-go":               {"internal/bus"},
		"github.com/hibiken/asynq":               {"tasks"},
		"github.com/hibiken/asynqmon":            {"tasks"},
		"github.com/golang-jwt/jwt/v5":           {"internal/gateway", "bench/peers/rest"},
		"github.com/MicahParks/jwkset":           {"internal/gateway"},
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
		"github.com/99designs/gqlgen":    {"graph", "graph/model", "graph/pagejson", "resolvers", "resolvers/guard", "resolvers/transport", "internal/gateway"},
		"github.com/vektah/gqlparser/v2": {"graph", "graph/pagejson", "resolvers", "resolvers/apierror", "resolvers/guard", "resolvers/sdl", "resolvers/transport", "internal/gateway", "clients/go", "tests/harness"},
		"github.com/coder/websocket":     {"resolvers/transport"},
		"github.com/Khan/genqlient":      {"clients/go", "tests/harness"},
		"github.com/klauspost/compress":  {"internal/httpbody"},

		// Times of requests.
		"github.com/HdrHistogram/hdrhistogram-go": {"bench/loadgen/drive"},

		// SQL. Test databases are made in testenv.
		"database/sql":                 {"feed/sqlstore", "feed/sqlstore/migrations"},
		"github.com/jackc/pgx/v5":      {"feed/sqlstore", "internal/cli", "internal/mirror", "internal/mirror/propose", "internal/testenv", "tests/harness", "bench/peers/rest"},
		"github.com/jackc/pglogrepl":   {"internal/mirror"},
		"github.com/pressly/goose/v3":  {"feed/sqlstore", "feed/sqlstore/migrations"},
		"github.com/uptrace/bun":       {"feed/sqlstore"},
		"modernc.org/sqlite":           {"feed/sqlstore"},
		"golang.org/x/sync":            {"feed/doctor", "feed/feedtest", "feed/inbox", "feed/lrucache", "feed/redisstore", "feed/sqlstore", "resolvers/loaders", "internal/app", "internal/batch", "internal/ingest", "internal/mirror", "internal/shadow", "internal/upstream", "tasks"},
		"golang.org/x/time":            {"internal/cli", "internal/shadow", "internal/upstream"},
		"github.com/cenkalti/backoff":  {"internal/shadow"},
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
	problems, err := archtest.Check(os.DirFS("../.."), rules)
	check(t, err)
	for _, problem := range problems {
		t.Error(problem)
	}
}
