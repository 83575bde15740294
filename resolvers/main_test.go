package resolvers_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails when an operation leaves a goroutine behind, however it ended: batches
// run on goroutines of their own, and tests here have them fail, panic and run out of
// time.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
