package tasks

import (
	"context"
	"fmt"
	"log/slog"
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
	if l.log.Enabled(ctx, level) {
		l.log.Log(ctx, level, "asynq: "+fmt.Sprint(args...))
	}
}
