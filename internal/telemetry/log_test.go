package telemetry_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/telemetry"
)

type requestKey struct{}

func TestLogContext_AddsMissingAttributes(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(telemetry.LogContext(slog.NewTextHandler(&out, nil), func(ctx context.Context) []slog.Attr {
		id, _ := ctx.Value(requestKey{}).(string)
		return []slog.Attr{slog.String("requestId", id)}
	}))
	ctx := context.WithValue(t.Context(), requestKey{}, "one")
	for line, write := range map[string]func(){
		`msg=a requestId=one`:        func() { log.InfoContext(ctx, "a") },
		`msg=b x=1 requestId=one`:    func() { log.With("x", 1).InfoContext(ctx, "b") },
		`msg=c requestId=two`:        func() { log.InfoContext(ctx, "c", "requestId", "two") },
		`msg=d g.y=2 g.requestId=on`: func() { log.WithGroup("g").InfoContext(ctx, "d", "y", 2) },
	} {
		out.Reset()
		write()
		if got := out.String(); !strings.Contains(got, line) || strings.Count(got, "requestId") != 1 {
			t.Errorf("the line is %s, want it to say %s", got, line)
		}
	}
}
