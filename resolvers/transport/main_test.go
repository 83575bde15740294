package transport_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails when a stream or a socket leaves a goroutine behind, however it ended.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
