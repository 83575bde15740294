package graph

import (
	"io"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/feed"
)

// MarshalDateTime renders milliseconds since the epoch in UTC with exactly three
// fraction digits.
func MarshalDateTime(ms int64) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { _, _ = w.Write(appendDateTime(nil, ms)) })
}

// UnmarshalDateTime reads RFC 3339 with any offset into milliseconds since the
// epoch, cutting off what is finer. It refuses anything else, and moments outside
// 0 … [feed.MaxTime], with [feed.CodeBadInput].
func UnmarshalDateTime(v any) (int64, error) {
	s, ok := v.(string)
	if !ok {
		return 0, feed.Errorf(feed.CodeBadInput, "a DateTime is text in RFC 3339, such as 2026-05-04T12:30:00.250Z")
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return 0, feed.Errorf(feed.CodeBadInput, "a DateTime is in RFC 3339, such as 2026-05-04T12:30:00.250Z")
	}
	ms := feed.Millis(t)
	if ms < 0 || ms > feed.MaxTime {
		return 0, feed.Errorf(feed.CodeBadInput, "a DateTime is between 1970-01-01T00:00:00Z and 9999-12-31T23:59:59.999Z")
	}
	return ms, nil
}
