// Package e2e holds the tests that drive the program as its users do, and those of its
// documents.
package e2e

import (
	"flag"
	"os"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

// update makes tests write the reports that they compare.
var update = flag.Bool("update", false, "write stored reports anew")

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }

// server is the program, with the methods that only these tests need.
type server struct{ *harness.Server }

func startServer(t *testing.T, env ...string) *server {
	t.Helper()
	return &server{harness.StartServer(t, env...)}
}
