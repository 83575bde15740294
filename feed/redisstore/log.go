package redisstore

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// LogTo redirects the messages of the Redis library from standard error to log. The library has one
// logger for the whole process: call it once, at the start.
func LogTo(log *slog.Logger) { redis.SetLogger(libraryLog{log}) }

// libraryLog has no levels. Nearly all messages are failures to reach a server, which the library retries
// or returns.
type libraryLog struct{ log *slog.Logger }

func (l libraryLog) Printf(ctx context.Context, format string, args ...any) {
	err := fmt.Errorf(format, args...)
	if !strings.Contains(err.Error(), "panic") {
		err = feed.Unavailable("Redis", err)
	}
	l.log.WarnContext(ctx, "the Redis library reports a failure", "error", err)
}
