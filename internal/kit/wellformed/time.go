package wellformed

import (
	"errors"
	"strings"
	"time"
)

// errTime is the error for text that RFC 3339 does not allow.
var errTime = errors.New("no time in RFC 3339")

// Time parses a time in RFC 3339. time.Parse also takes an hour of one digit, a decimal comma, and
// offsets from 24:00 on (go.dev/issue/54580).
func Time(text string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, err
	}
	// The shortest time is 2026-05-04T12:30:00Z, with a colon behind the hour.
	if text[len("2026-05-04T12")] != ':' || strings.Contains(text, ",") {
		return time.Time{}, errTime
	}
	if offset := text[len(text)-len("00:00"):]; !strings.HasSuffix(text, "Z") && (offset[:2] > "23" || offset[3:] > "59") {
		return time.Time{}, errTime
	}
	return t, nil
}
