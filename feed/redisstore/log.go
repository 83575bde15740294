package redisstore

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/redis/go-redis/v9"
)

// LogTo redirects the messages of the Redis library from standard error to log. The library has one
// logger for the whole process: call it once, at the start.
func LogTo(log *slog.Logger) { redis.SetLogger(libraryLog{log}) }

// libraryLog has no levels; the messages are failures that the library retries or returns.
type libraryLog struct{ log *slog.Logger }

func (l libraryLog) Printf(ctx context.Context, format string, args ...any) {
	l.log.WarnContext(ctx, "the Redis library reports a failure", "error", fmt.Sprintf(format, args...))
}
