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

// The embedded Redis has a random port and password. While it runs, the server keeps its URL in a
// file of the data directory, so that other commands of the same user can work on its inboxes.

func (s DatabaseSettings) redisURLPath() string { return filepath.Join(s.DataDir, "redis.url") }

// writeRedisURL writes the URL to a file that only its owner can read. It replaces a file that a
// killed server left; remove removes the file.
func (s DatabaseSettings) writeRedisURL(redisURL string) (remove func(), err error) {
	// An existing file would keep its mode, and readers must not see a partial URL.
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

// dialTimeout bounds the wait for a server on this machine.
const dialTimeout = 2 * time.Second

// ReadRedisURL returns the URL, with password, of the embedded Redis of the server on the data
// directory. It fails if no server runs, even if a killed one left its file.
func (s DatabaseSettings) ReadRedisURL(ctx context.Context) (string, error) {
	text, err := os.ReadFile(s.redisURLPath())
	if errors.Is(err, fs.ErrNotExist) {
		return "", s.noServer()
	}
	if err != nil {
		return "", BadSetting("--data-dir: %v; run this command as the user that runs the server", err)
	}
	redisURL := strings.TrimSpace(string(text))
	u, err := url.Parse(redisURL)
	if err != nil || u.Host == "" {
		return "", s.noServer() // not shown: it may hold a password
	}
	conn, err := (&net.Dialer{Timeout: dialTimeout}).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return "", s.noServer()
	}
	return redisURL, conn.Close()
}

func (s DatabaseSettings) noServer() error {
	return BadSetting("no server with an embedded Redis runs on %s, so there are no inboxes and queues; start one, or set --redis-url or another --data-dir", s.DataDir)
}
