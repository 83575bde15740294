//go:build nightly

package e2e

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/resolvers/transport"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// update makes tests write the stored reports instead of comparing them.
var update = flag.Bool("update", false, "update stored reports")

// auditReport has the stored results of the audits of GraphQL over HTTP.
const auditReport = "docs/benchmarks/graphql-http-audit.txt"

// Third-party clients and audits work with this server.
func TestThirdPartyClients_AndAuditsPass(t *testing.T) {
	t.Parallel()
	install(t)
	s := startServer(t, embedded(t)...)
	ticks := httptest.NewServer(ticking())
	t.Cleanup(ticks.Close)
	report := filepath.Join(t.TempDir(), "audit.txt")

	runSuites(t, []string{"*.test.mjs"}, "TIDELINE_URL="+s.Base+"/graphql", "TIDELINE_TOKEN="+harness.TokenFor(t, 10), "TICKS_URL="+ticks.URL, "AUDIT_REPORT="+report)
	got, err := os.ReadFile(report)
	harness.Check(t, err)
	wantKept(t, auditReport, string(got))
}

// runSuites runs the suites of tests/clients whose files match patterns, by Node.js.
func runSuites(t *testing.T, patterns []string, env ...string) {
	t.Helper()
	var suites []string
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join("bin/clients", pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no suite matches %s (error %v)", pattern, err)
		}
		for _, file := range files {
			suites = append(suites, strings.TrimPrefix(file, "bin/clients/"))
		}
	}
	runNode(t, "bin/clients", suites, env...)
}

// installed installs the third-party packages once for all parallel tests.
var installed = sync.OnceValue(func() error {
	if out, err := exec.CommandContext(context.Background(), "scripts/clients.sh").CombinedOutput(); err != nil {
		return fmt.Errorf("scripts/clients.sh: %w\n%s", err, out)
	}
	return nil
})

// install installs the third-party packages.
func install(t *testing.T) {
	t.Helper()
	testenv.Checkout(t)
	harness.Check(t, installed())
}

// wantKept compares a report with a stored file, or stores it with -update.
func wantKept(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		harness.Check(t, os.WriteFile(file, []byte(got), 0o644))
	}
	if diff := cmp.Diff(harness.Doc(t, file), got); diff != "" {
		t.Errorf("%s differs from the result; update it by scripts/gotest.sh -tags nightly -run ThirdParty ./tests/e2e -update\n%s", file, diff)
	}
}

// ticking is a server whose subscription counts from one, over the real server's transport.
func ticking() http.Handler {
	const schema = `type Query { name: String! } type Subscription { ticks(to: Int!): Int! }`
	server := handler.New(&graphql.ExecutableSchemaMock{
		SchemaFunc:     func() *ast.Schema { return gqlparser.MustLoadSchema(&ast.Source{Input: schema}) },
		ExecFunc:       count,
		ComplexityFunc: func(context.Context, string, string, int, map[string]any) (int, bool) { return 0, false },
	})
	server.AddTransport(transport.New(transport.Options{Authenticate: forAWhile}))
	return server
}

// forAWhile accepts every token, for as long as the client asks.
func forAWhile(ctx context.Context, payload map[string]any) (context.Context, time.Time, error) {
	millis, given := payload["expiresInMillis"].(json.Number)
	if !given {
		return ctx, time.Time{}, nil
	}
	n, err := millis.Int64()
	return ctx, time.Now().Add(time.Duration(n) * time.Millisecond), err
}

func count(ctx context.Context) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	field := oc.Operation.SelectionSet[0].(*ast.Field)
	to := field.ArgumentMap(oc.Variables)["to"].(int64)
	n := int64(0)
	return func(context.Context) *graphql.Response {
		if n++; n > to {
			return nil
		}
		return &graphql.Response{Data: fmt.Appendf(nil, `{%q:%d}`, field.Alias, n)}
	}
}
