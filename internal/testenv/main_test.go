package testenv_test

import (
	"testing"

	"go.uber.org/goleak"
)

// The package leaves no goroutine, not even for the shared server. Packages that use it can
// therefore check for their own leaks. The exception belongs to the client: a pool that failed to
// connect checks once a second whether it was closed.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/redis/go-redis/v9/internal/pool.(*ConnPool).tryDial"))
}
