package upstream_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// same fails the test if two values differ.
func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
