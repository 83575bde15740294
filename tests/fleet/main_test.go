// Package fleet holds the tests of several processes that work together, also while they, their
// stores and their network fail, and while they are upgraded.
package fleet

import (
	"os"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }
