package harness

import (
	"fmt"
	"os"
	"testing"
)

// Main runs the tests of a package in tests/ in the module's root, because documents,
// scripts and manifests are named from there. It returns the exit code.
func Main(m *testing.M) int {
	if err := os.Chdir("../.."); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "harness:", err)
		return 1
	}
	return m.Run()
}
