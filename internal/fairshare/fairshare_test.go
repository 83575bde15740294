package fairshare_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/internal/fairshare"
)

func TestOfAddress_IsAQuarterAndNeverNothing(t *testing.T) {
	for total, want := range map[int]int{1: 1, 3: 1, 4: 1, 7: 1, 8: 2, 256: 64} {
		if got := fairshare.OfAddress(total); got != want {
			t.Errorf("of %d: %d, want %d", total, got, want)
		}
	}
}
