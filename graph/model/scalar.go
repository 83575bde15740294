package model

import (
	"errors"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/wellformed"
)

// MarshalDateTime renders milliseconds since the epoch as RFC 3339 in UTC, to the millisecond.
func MarshalDateTime(ms int64) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { _, _ = w.Write(AppendDateTime(nil, ms)) })
}

// AppendDateTime appends what [MarshalDateTime] renders; package time is fast for seconds only.
func AppendDateTime(b []byte, ms int64) []byte {
	t := time.UnixMilli(ms).UTC()
	b = append(b, '"')
	b = t.AppendFormat(b, time.RFC3339)
	b[len(b)-1] = '.'
	fraction := t.Nanosecond() / int(time.Millisecond)
	return append(b, byte('0'+fraction/100), byte('0'+fraction/10%10), byte('0'+fraction%10), 'Z', '"')
}

// UnmarshalDateTime reads RFC 3339 into milliseconds since the epoch, and truncates finer
// fractions. Anything else, or outside 0 … [feed.MaxTime], is [feed.CodeBadInput].
func UnmarshalDateTime(v any) (int64, error) {
	s, ok := v.(string)
	if !ok {
		return 0, feed.Errorf(feed.CodeBadInput, "a DateTime must be text in RFC 3339, such as 2026-05-04T12:30:00.250Z")
	}
	t, err := wellformed.Time(s)
	if err != nil {
		return 0, feed.Errorf(feed.CodeBadInput, "a DateTime must be in RFC 3339, such as 2026-05-04T12:30:00.250Z")
	}
	ms := feed.Millis(t)
	if ms < 0 || ms > feed.MaxTime {
		return 0, feed.Errorf(feed.CodeBadInput, "a DateTime must be between 1970-01-01T00:00:00Z and 9999-12-31T23:59:59.999Z")
	}
	return ms, nil
}

// MarshalReference renders a reference to an entity.
func MarshalReference(r map[string]any) graphql.Marshaler { return graphql.MarshalMap(r) }

// UnmarshalReference reads a reference to an entity; nil for other values, which are no references.
func UnmarshalReference(v any) (map[string]any, error) {
	r, _ := v.(map[string]any)
	return r, nil
}

// MarshalJSON renders custom fields as they are stored, and null without any.
func MarshalJSON(c feed.CustomFields) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { _, _ = w.Write(AppendJSON(nil, c)) })
}

// AppendJSON appends what [MarshalJSON] renders.
func AppendJSON(b []byte, c feed.CustomFields) []byte {
	if c == "" {
		return append(b, "null"...)
	}
	return append(b, c...)
}

// UnmarshalJSON fails. gqlgen demands it, but no input has custom fields.
func UnmarshalJSON(any) (feed.CustomFields, error) {
	return "", errors.New("custom fields are in responses only")
}

// MarshalCount renders a count as an Int of 32 bits, and larger counts as the largest Int.
func MarshalCount(n int64) graphql.Marshaler { return graphql.MarshalInt32(asInt32(n)) }

// AppendCount appends what [MarshalCount] renders.
func AppendCount(b []byte, n int64) []byte { return strconv.AppendInt(b, int64(asInt32(n)), 10) }

func asInt32(n int64) int32 { return int32(max(math.MinInt32, min(math.MaxInt32, n))) }

// UnmarshalCount reads what [MarshalCount] renders.
func UnmarshalCount(v any) (int64, error) {
	n, err := graphql.UnmarshalInt32(v)
	return int64(n), err
}
