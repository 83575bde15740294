package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/resolvers/transport"
)

// auditReport is what the audits of GraphQL over HTTP came to.
const auditReport = "docs/benchmarks/graphql-http-audit.txt"

// Clients and audits that others have written, at their word that they speak what is
// specified, get along with this server.
func TestOtherPeoplesClientsAndAuditsPass(t *testing.T) {
	install(t)
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+testSecret)
	ticks := httptest.NewServer(ticking())
	t.Cleanup(ticks.Close)
	report := filepath.Join(t.TempDir(), "audit.txt")

	node := exec.CommandContext(t.Context(), "node", "--test", "--test-reporter=spec")
	node.Dir = "bin/clients"
	node.Env = append(os.Environ(),
		"TIDELINE_URL="+s.base+"/graphql", "TIDELINE_TOKEN="+tokenFor(t, 10), "TICKS_URL="+ticks.URL, "AUDIT_REPORT="+report)
	if out, err := node.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	wantReport(t, report)
}

// install installs what others have written.
func install(t *testing.T) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "scripts/clients.sh").CombinedOutput(); err != nil {
		t.Fatalf("scripts/clients.sh: %v\n%s", err, out)
	}
}

// wantReport compares a report with the one that is kept, or keeps it when the test is
// told to update.
func wantReport(t *testing.T, file string) {
	t.Helper()
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(auditReport, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(auditReport)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(kept), string(got)); diff != "" {
		t.Errorf("%s is not what came out; renew it by go test -run OtherPeoples -update .\n%s", auditReport, diff)
	}
}

// ticking is a server whose subscription counts from one, through the transport of the
// real one.
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

// forAWhile lets everybody in, for as long as the client itself asks for.
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

// No lock file says where packages come from: that is for whoever installs them.
func TestLockFilesNameNoRegistry(t *testing.T) {
	for _, file := range []string{
		"clients/typescript/package-lock.json", "tests/clients/package-lock.json", "tools/schema/package-lock.json",
		"web/client/package-lock.json", "web/graphiql/package-lock.json",
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), `"resolved"`) {
			t.Errorf("%s names a registry", file)
		}
	}
}
