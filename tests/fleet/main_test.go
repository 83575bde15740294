// Package fleet has the tests of several processes that work together, also during faults of
// processes, stores and networks, and during upgrades.
package fleet

import (
	"os"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }
