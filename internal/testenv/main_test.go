package testenv_test

import (
	"testing"

	"go.uber.org/goleak"
)

// The package leaves no goroutine behind, not even for the shared server, so the
// packages that use it can look for leaks of their own.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}
