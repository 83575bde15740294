package testenv_test

import (
	"testing"

	"go.uber.org/goleak"
)

// The package leaves no goroutine behind, not even for the shared server, so the
// packages that use it can look for leaks of their own. The exception is the client's: a pool
// that failed to connect looks for its server once a second, and notices only then that it
// was closed.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/redis/go-redis/v9/internal/pool.(*ConnPool).tryDial"))
}
