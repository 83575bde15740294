// Package e2e has the tests that drive the program as its users do. Files with the build tag nightly
// have those that make test leaves out.
package e2e

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }

// server is a [harness.Server] with methods for these tests only.
type server struct{ *harness.Server }

func startServer(t *testing.T, env ...string) *server {
	t.Helper()
	return &server{harness.StartServer(t, env...)}
}

// Settings that many tests have.
const (
	noDemo = "TIDELINE_DEMO=false"
	// sourceOwns makes a server take users, posts and follows from another system.
	sourceOwns = "TIDELINE_SOURCE_OWNS=user,post,follow"
)

// serviceToken and operatorToken are the tokens of [embedded] and [shared].
var (
	serviceToken  = strings.Repeat("opaque", 6)
	operatorToken = strings.Repeat("operator", 4)
)

func tokens() []string {
	return []string{"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_SERVICE_TOKEN=" + serviceToken, "TIDELINE_ADMIN_TOKEN=" + operatorToken}
}

// embedded returns the settings of a server with a database and Redis of its own, and others.
func embedded(t *testing.T, more ...string) []string {
	t.Helper()
	return slices.Concat(tokens(), []string{"TIDELINE_DATA_DIR=" + t.TempDir()}, more)
}

// shared returns the settings of processes that share PostgreSQL and Redis, and others.
func shared(t *testing.T, more ...string) []string {
	t.Helper()
	return slices.Concat(tokens(), []string{"TIDELINE_DATABASE_URL=" + harness.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t)}, more)
}

// setting returns the value of a setting, of which the last counts.
func setting(env []string, name string) (value string) {
	for _, variable := range env {
		if after, found := strings.CutPrefix(variable, name+"="); found {
			value = after
		}
	}
	return value
}

// openStore opens the database of a server.
func openStore(t *testing.T, env []string) *sqlstore.Store {
	t.Helper()
	url := cmp.Or(setting(env, "TIDELINE_DATABASE_URL"), "sqlite://"+filepath.Join(setting(env, "TIDELINE_DATA_DIR"), "tideline.db"))
	store, err := sqlstore.Open(t.Context(), url)
	harness.Check(t, err)
	t.Cleanup(func() { harness.Check(t, store.Close()) })
	return store
}

// openInboxes opens the inboxes of a server with the settings of [shared].
func openInboxes(t *testing.T, inbox string, env []string) app.InboxStore {
	t.Helper()
	return harness.OpenInboxes(t, inbox, setting(env, "TIDELINE_DATABASE_URL"), setting(env, "TIDELINE_REDIS_URL"))
}

// serviceJWT returns a token of a service.
func serviceJWT(t *testing.T, name string) string {
	t.Helper()
	return signed(t, gateway.Claims{Service: name})
}

func signed(t *testing.T, claims gateway.Claims) string {
	t.Helper()
	token, err := gateway.NewTokens([]byte(harness.Secret), time.Now).Sign(claims, time.Hour)
	harness.Check(t, err)
	return token
}
