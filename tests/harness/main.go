package harness

import (
	"fmt"
	"os"
	"testing"
)

// Main runs the tests of a package in the root folder of the repository. It returns the exit code.
func Main(m *testing.M) int {
	if err := os.Chdir("../.."); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "harness:", err)
		return 1
	}
	return m.Run()
}
