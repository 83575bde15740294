package redisstore_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// lockedBuffer may be written to by many goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.String()
}

// quiet is what the library is left with.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

func TestLogTo_LogsLibraryMessages(t *testing.T) {
	var out lockedBuffer
	redisstore.LogTo(slog.New(slog.NewJSONHandler(&out, nil)))
	t.Cleanup(func() { redis.SetLogger(quiet{}) })
	server := testenv.StartRedis(t, testenv.RedisOptions{})
	c := open(t, server.URL())
	server.Kill()
	if err := c.Ping(t.Context()); err == nil {
		t.Fatal("a server that is gone answers")
	}
	if text := out.text(); !strings.Contains(text, `"msg":"the Redis library reports a failure","error":"UNAVAILABLE: Redis cannot be reached: redis: `) {
		t.Errorf("logged is %q", text)
	}
}
