package transport_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails if a stream or a socket leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
