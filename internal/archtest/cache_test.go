//go:build !race

package archtest_test

import (
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// copyCheckout copies the files of the checkout to a new folder.
func copyCheckout(t *testing.T) string {
	t.Helper()
	from, to := testenv.Checkout(t), t.TempDir()
	for line := range strings.Lines(run(t, "scripts/fingerprint.sh")) {
		file := strings.TrimSpace(line[strings.Index(line, "./"):])
		text, err := os.ReadFile(filepath.Join(from, file))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, file)), 0o700); err != nil {
			t.Fatal(err)
		}
		// Scripts must stay executable.
		if err := os.WriteFile(filepath.Join(to, file), text, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// go test sees neither that the program, which a test starts by its path, has changed, nor files of
// another module than the test's.
func TestGotest_RunsAgainAfterChange(t *testing.T) {
	const starts, reads = "./tests/e2e", "./bench/capacity"
	root := copyCheckout(t)
	isCached := func(pkg, pattern string) bool {
		t.Helper()
		command := exec.CommandContext(t.Context(), "sh", "-c", `. scripts/goflags.sh && scripts/gotest.sh -vet=off -run "$2" "$1"`, "sh", pkg, pattern)
		command.Dir = root
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return strings.Contains(string(out), "(cached)")
	}
	patterns := map[string]string{starts: "^TestServe_FirstStart$", reads: "^TestPage_"}
	for pkg, pattern := range patterns {
		isCached(pkg, pattern)
		if !isCached(pkg, pattern) {
			t.Errorf("%s runs again without a change", pkg)
		}
	}
	for _, change := range []struct {
		file, pkg string
	}{
		{"server.go", starts}, // part of the program, and of no package that tests import
		{"docs/architecture.md", reads},
	} {
		path := filepath.Join(root, change.file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		// The text is new at each call, or an earlier call's result is reused.
		text = append(text, "\n// "+rand.Text()+"\n"...)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if isCached(change.pkg, patterns[change.pkg]) {
			t.Errorf("%s does not run again after a change of %s", change.pkg, change.file)
		}
	}
}
