package wellformed_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/internal/wellformed"
)

func TestTime_FollowsGrammar(t *testing.T) {
	for text, want := range map[string]bool{
		"2026-05-04T12:30:00Z":           true,
		"2026-05-04T01:30:00.123456789Z": true,
		"2026-05-04T23:59:59.5-23:59":    true,
		"2026-05-04T1:30:00Z":            false,
		"2026-05-04T1:30:00.5+01:00":     false,
		"2026-05-04T12:30:00,5Z":         false,
		"2026-05-04T12:30:00+24:00":      false,
		"2026-05-04T12:30:00+01:60":      false,
		"2026-05-04T12:30:00-99:99":      false,
		"2026-05-04 12:30:00Z":           false,
		"2026-05-04T12:30:00":            false,
		"2026-05-04T12:30Z":              false,
		"2026-02-30T12:30:00Z":           false,
		"1:00Z":                          false,
		"":                               false,
	} {
		if _, err := wellformed.Time(text); (err == nil) != want {
			t.Errorf("%q: error %v, want valid: %v", text, err, want)
		}
	}
}
