package redisstore

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/redis/go-redis/v9"
)

// LogTo has the Redis library write what it has to say, such as connections that could not
// be made, to log instead of standard error. The library knows one logger for the whole
// process: call it once, at the start.
func LogTo(log *slog.Logger) { redis.SetLogger(libraryLog{log}) }

// libraryLog is how the library calls a logger. It has no levels; what it writes are
// failures that it goes on to retry, or to return to whoever asked.
type libraryLog struct{ log *slog.Logger }

// Printf writes one line.
func (l libraryLog) Printf(ctx context.Context, format string, args ...any) {
	l.log.WarnContext(ctx, "the Redis library says", "what", fmt.Sprintf(format, args...))
}
