// Package chaos holds the tests that kill the program and lose or break its stores under load.
package chaos

import (
	"os"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }
