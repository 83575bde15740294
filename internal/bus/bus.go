// Package bus reads message buses. It has one file per bus, each an [ingest.Bus].
package bus

import (
	"net/url"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/ingest"
)

// Open returns the bus of a URL, and a name for its source: that of the stream or topic. The bus
// connects when it is read. Errors show no password.
func Open(from string) (bus ingest.Bus, source string, err error) {
	scheme, _, _ := strings.Cut(from, "://")
	switch scheme {
	case "redis", "rediss", "redis-sentinel", "redis-cluster":
		return openRedis(from)
	}
	return nil, "", invalid("the URL of a bus begins with redis://, rediss://, redis-sentinel:// or redis-cluster://")
}

func invalid(format string, args ...any) error {
	return feed.Errorf(feed.CodeInvalid, format, args...)
}

// cutName takes the last part of a URL's path, percent-decoded, off the URL.
func cutName(from, what string) (rest, name string, err error) {
	from, query, found := strings.Cut(from, "?")
	_, authority, _ := strings.Cut(from, "://")
	at := strings.LastIndexByte(authority, '/')
	if at >= 0 {
		name, err = url.PathUnescape(authority[at+1:])
	}
	if name == "" || err != nil {
		return "", "", invalid("the URL of the bus must end with the name of %s, percent-encoded", what)
	}
	rest = from[:strings.LastIndexByte(from, '/')]
	if found {
		rest += "?" + query
	}
	return rest, name, nil
}
