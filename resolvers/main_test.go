package resolvers_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails if an operation leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
