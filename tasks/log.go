package tasks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// asynqLog hands asynq's messages to slog.
type asynqLog struct{ log *slog.Logger }

func (l asynqLog) Debug(args ...any) { l.write(slog.LevelDebug, args) }
func (l asynqLog) Info(args ...any)  { l.write(slog.LevelDebug, args) }
func (l asynqLog) Warn(args ...any)  { l.write(slog.LevelWarn, args) }
func (l asynqLog) Error(args ...any) { l.write(slog.LevelError, args) }

// Fatal does not exit the process, unlike asynq's own logger.
func (l asynqLog) Fatal(args ...any) { l.write(slog.LevelError, args) }

func (l asynqLog) write(level slog.Level, args []any) {
	ctx := context.Background()
	if !l.log.Enabled(ctx, level) {
		return
	}
	text := fmt.Sprint(args...)
	// Of some failures there is only that they are tried again.
	if level < slog.LevelWarn || !strings.Contains(text, "redis") && !strings.Contains(text, "Will retry syncing") {
		l.log.Log(ctx, level, "asynq: "+text)
		return
	}
	l.log.Log(ctx, level, "asynq cannot use Redis and tries again", "error", redisFailure(text))
}

// redisFailure returns the error of a message about Redis, in which asynq has flattened the cause.
func redisFailure(text string) error {
	for sign, reason := range map[string]string{
		"OOM command": "is full", "READONLY ": "takes no writes, since it is a replica", "MISCONF ": "cannot save its data", "LOADING ": "is loading its data",
	} {
		if strings.Contains(text, sign) {
			return feed.CannotServe("the task queue", reason, errors.New(text))
		}
	}
	return feed.Unavailable("the task queue", errors.New(text))
}
