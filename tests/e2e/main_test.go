// Package e2e has the tests that drive the program as its users do, and the tests of its documents.
package e2e

import (
	"flag"
	"os"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

// update makes tests write the stored reports instead of comparing them.
var update = flag.Bool("update", false, "update stored reports")

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }

// server is a [harness.Server] with methods for these tests only.
type server struct{ *harness.Server }

func startServer(t *testing.T, env ...string) *server {
	t.Helper()
	return &server{harness.StartServer(t, env...)}
}
