// Package e2e holds the tests that drive the program as its users do.
package e2e

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// update makes tests write the reports that they compare.
var update = flag.Bool("update", false, "write stored reports anew")

// TestMain runs the tests in the module's root, because documents, scripts and manifests are
// named from there.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
