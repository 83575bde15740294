// Package buses has the tests of message buses on real servers.
package buses

import (
	"os"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }
