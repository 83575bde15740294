package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// installNode copies a folder of suites, installs their dependencies, and returns the copy.
func installNode(t *testing.T, name string) (folder string) {
	t.Helper()
	folder = filepath.Join(testenv.Checkout(t), "bin", name)
	if out, err := exec.CommandContext(t.Context(), "scripts/npm.sh", "tests/"+name, folder).CombinedOutput(); err != nil {
		t.Fatalf("scripts/npm.sh: %v\n%s", err, out)
	}
	return folder
}

// runNode runs suites in a folder by Node.js.
func runNode(t *testing.T, folder string, suites []string, env ...string) {
	t.Helper()
	startNode(t, folder, suites, env...)()
}

// startNode starts suites like [runNode]. The returned function waits for their end.
func startNode(t *testing.T, folder string, suites []string, env ...string) (wait func()) {
	t.Helper()
	node := exec.CommandContext(t.Context(), "node", append([]string{"--test", "--test-reporter=spec"}, suites...)...)
	node.Dir = folder
	node.Env = append(os.Environ(), env...)
	var out bytes.Buffer
	node.Stdout, node.Stderr = &out, &out
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := node.Wait(); err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		t.Logf("%s", &out)
	}
}
