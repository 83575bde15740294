// Package mirror has the tests of tideline mirror on real servers.
package mirror

import (
	"os"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }
