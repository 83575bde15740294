package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The embedded Redis listens on another port, with another password, at every start.
// While it runs the server keeps its URL in a file of the data directory, so that
// other commands, run by the same user beside it, work on its inboxes.

// redisURLPath is where the URL is.
func (s DatabaseSettings) redisURLPath() string { return filepath.Join(s.DataDir, "redis.url") }

// writeRedisURL writes the URL for its owner alone to read. The function it returns
// removes it. A file that a killed server left is replaced.
func (s DatabaseSettings) writeRedisURL(redisURL string) (remove func(), err error) {
	// A file that was there would keep its mode, and a reader must not see half.
	part, err := os.CreateTemp(s.DataDir, ".redis.url.*")
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintln(part, redisURL)
	err = errors.Join(err, part.Close())
	if err == nil {
		err = os.Rename(part.Name(), s.redisURLPath())
	}
	if err != nil {
		return nil, errors.Join(err, os.Remove(part.Name()))
	}
	return func() { _ = os.Remove(s.redisURLPath()) }, nil
}

// answersWithin is how long a server on this machine has to accept a connection.
const answersWithin = 2 * time.Second

// ReadRedisURL returns the URL of the embedded Redis of the server that runs on the
// data directory. When none runs, also when one was killed and left its file, it
// says so. The URL holds a password.
func (s DatabaseSettings) ReadRedisURL(ctx context.Context) (string, error) {
	text, err := os.ReadFile(s.redisURLPath())
	if errors.Is(err, fs.ErrNotExist) {
		return "", s.noServer()
	}
	if err != nil {
		return "", BadSetting("--data-dir: %v; run this as the user who runs the server", err)
	}
	redisURL := strings.TrimSpace(string(text))
	u, err := url.Parse(redisURL)
	if err != nil || u.Host == "" {
		return "", s.noServer() // not shown: it may hold a password
	}
	conn, err := (&net.Dialer{Timeout: answersWithin}).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return "", s.noServer()
	}
	return redisURL, conn.Close()
}

func (s DatabaseSettings) noServer() error {
	return BadSetting("no server with an embedded Redis runs on %s, so that Redis, with its inboxes and queues, is not there; start one, or name a --redis-url or another --data-dir", s.DataDir)
}
