package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/internal/telemetry"
)

// settingError is a setting that cannot be used: it says which, and what is
// allowed.
type settingError struct{ text string }

func (e *settingError) Error() string { return e.text }

func badSetting(format string, args ...any) error {
	return &settingError{text: fmt.Sprintf(format, args...)}
}

// embedded is the value of --redis-url that stands for a Redis in the process.
const embedded = "embedded"

// checker is a group of settings that can say what is wrong with it.
type checker interface{ check() error }

// checkAll returns the first thing that is wrong.
func checkAll(groups ...checker) error {
	for _, g := range groups {
		if err := g.check(); err != nil {
			return err
		}
	}
	return nil
}

// databaseSettings say where the source of truth is.
type databaseSettings struct {
	DataDir     string `env:"TIDELINE_DATA_DIR" default:"./data" placeholder:"DIR" help:"Directory of the embedded database and of secrets the server makes for itself (${default})."`
	DatabaseURL string `env:"TIDELINE_DATABASE_URL" placeholder:"URL" help:"sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME. By default a SQLite file in the data directory."`
}

// url returns the database's URL, and makes the data directory when that is where
// the database will be.
func (s databaseSettings) url() (string, error) {
	if s.DatabaseURL != "" {
		return s.DatabaseURL, nil
	}
	if err := s.makeDataDir(); err != nil {
		return "", err
	}
	return "sqlite://" + s.embeddedPath(), s.makePrivate()
}

// makePrivate takes the embedded database away from all but its owner. New files are the
// owner's alone, but earlier versions of the program let others read them.
func (s databaseSettings) makePrivate() error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		path := s.embeddedPath() + suffix
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm()&0o077 == 0 {
			continue
		}
		if err := os.Chmod(path, info.Mode().Perm()&0o700); err != nil && !errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
	return nil
}

// embeddedPath is where the embedded database is.
func (s databaseSettings) embeddedPath() string { return filepath.Join(s.DataDir, "tideline.db") }

func (s databaseSettings) makeDataDir() error {
	if err := os.MkdirAll(s.DataDir, 0o700); err != nil {
		return badSetting("--data-dir: %v; name a directory that can be made and written to", err)
	}
	return nil
}

// checkThere refuses a file of a database that is not there: a command that is about
// what is in the database would make an empty one.
func (s databaseSettings) checkThere(command string) error {
	path, isFile := strings.CutPrefix(s.DatabaseURL, "sqlite://")
	if s.DatabaseURL == "" {
		path, isFile = s.embeddedPath(), true
	}
	if !isFile {
		return nil
	}
	if _, err := os.Stat(path); err != nil {
		return badSetting("%s: there is no database: %v; name another --data-dir or --database-url", command, err)
	}
	return nil
}

// check refuses a URL of a kind that is not known.
func (s databaseSettings) check() error {
	if s.DatabaseURL == "" || hasScheme(s.DatabaseURL, "sqlite", "postgres", "postgresql") {
		return nil
	}
	return badSetting("--database-url must start with sqlite:// or postgres://, not %q", schemeOf(s.DatabaseURL))
}

// redisSettings say where inboxes, messages between processes, and queues are.
type redisSettings struct {
	RedisURL      string `env:"TIDELINE_REDIS_URL" default:"embedded" placeholder:"URL" help:"embedded for one inside this process, or redis://, rediss://, redis-sentinel:// or redis-cluster:// with host and port (${default})."`
	QueueRedisURL string `env:"TIDELINE_QUEUE_REDIS_URL" placeholder:"URL" help:"The Redis of the task queues, when it is not the same. With --inbox=sql one may be named here alone: it then serves for all."`
}

// check refuses URLs of a kind that is not known.
func (s redisSettings) check() error {
	for flag, url := range map[string]string{"--redis-url": s.RedisURL, "--queue-redis-url": s.QueueRedisURL} {
		if url != "" && url != embedded && !hasScheme(url, "redis", "rediss", "redis-sentinel", "redis-cluster") {
			return badSetting("%s must be embedded, redis://, rediss://, redis-sentinel:// or redis-cluster://, not %q", flag, schemeOf(url))
		}
	}
	return nil
}

// redisServer is a Redis and the flag that it was named by.
type redisServer struct{ flag, url string }

// place says where the server is, without user and password.
func (s redisServer) place() string {
	if s.url == embedded {
		return embedded
	}
	return redisstore.Place(s.url)
}

// redisServers are what a process works with: main keeps the inboxes, unless SQL
// does, and carries messages between processes; queue keeps the tasks.
type redisServers struct{ main, queue redisServer }

// servers returns the servers that these settings come to for inboxes kept in the
// given way. With inboxes in SQL only messages are left to main, and every Redis that
// the processes share anyhow can carry those.
func (s redisSettings) servers(inbox string) redisServers {
	main := redisServer{"--redis-url", s.RedisURL}
	queue := redisServer{"--queue-redis-url", s.QueueRedisURL}
	switch {
	case queue.url == "":
		queue = main
	case main.url == embedded && inbox == inboxSQL:
		main = queue
	}
	return redisServers{main, queue}
}

// isEmbedded says whether any part of Redis lives in this process, and so is new
// and empty at every start.
func (s redisServers) isEmbedded() bool { return s.main.url == embedded || s.queue.url == embedded }

// inboxSQL is the value of --inbox that stands for inboxes in the database.
const inboxSQL = "sql"

// inboxSettings say where inboxes are, and how long.
type inboxSettings struct {
	Inbox    string `env:"TIDELINE_INBOX" default:"redis" enum:"redis,sql" help:"redis keeps inboxes in Redis, sql in the database, where they take more time to push to but are not lost with Redis (${default})."`
	InboxCap int    `env:"TIDELINE_INBOX_CAP" default:"300" placeholder:"N" help:"Entries an inbox keeps; older ones are read from the outboxes (${default})."`
}

// check refuses a length out of range.
func (s inboxSettings) check() error { return inRange("--inbox-cap", s.InboxCap, 1, 10_000) }

// inRange refuses a number out of range.
func inRange(flag string, n, from, to int) error {
	if n < from || n > to {
		return badSetting("%s must be from %d to %d, not %d", flag, from, to, n)
	}
	return nil
}

// feedSettings are the parts of the policy that may be set, and where inboxes are.
type feedSettings struct {
	inboxSettings
	activitySettings
	Fanout        feed.FanoutMode `env:"TIDELINE_FANOUT" default:"hybrid" enum:"hybrid,push,pull" help:"hybrid pushes to all followers up to the threshold, and above it to the active ones, while the others pull; push pushes all; pull pushes nothing (${default})."`
	PushThreshold int             `env:"TIDELINE_PUSH_THRESHOLD" default:"5000" placeholder:"N" help:"Largest number of followers whose inboxes are all pushed to (${default})."`
	SubtaskSize   int             `env:"TIDELINE_SUBTASK_SIZE" default:"1000" placeholder:"N" help:"Followers served by one subtask of a fan-out, or up to four times as many where they are very many (${default})."`
	PushTogether  int             `env:"TIDELINE_PUSH_TOGETHER" default:"16" placeholder:"N" help:"Contents of one author that one subtask pushes at once, when so many wait (${default})."`
	FollowLimit   int             `env:"TIDELINE_FOLLOW_LIMIT" default:"2000" placeholder:"N" help:"Users one user may follow (${default})."`
}

// activitySettings say how long activity lasts.
type activitySettings struct {
	ActiveFor time.Duration `env:"TIDELINE_ACTIVE_FOR" default:"720h" placeholder:"DURATION" help:"How long users count as active after they were seen; who is away for twice as long loses the inbox until the next visit (${default})."`
}

// check refuses a duration out of range.
func (s activitySettings) check() error {
	if s.ActiveFor < shortestActiveFor || s.ActiveFor > longestActiveFor {
		return badSetting("--active-for must be from 1m to 87600h, not %v", s.ActiveFor)
	}
	return nil
}

// How long activity may be set to last: shorter than a visit it would be renewed over
// and over, and ten years are as good as for ever.
const (
	shortestActiveFor = time.Minute
	longestActiveFor  = 10 * 365 * 24 * time.Hour
)

// check refuses numbers and durations out of range.
func (s feedSettings) check() error {
	for _, n := range []struct {
		flag            string
		value, from, to int
	}{
		{"--push-threshold", s.PushThreshold, 0, math.MaxInt32},
		{"--subtask-size", s.SubtaskSize, 1, 100_000},
		{"--push-together", s.PushTogether, 1, 1000},
		{"--follow-limit", s.FollowLimit, 0, 100_000},
	} {
		if err := inRange(n.flag, n.value, n.from, n.to); err != nil {
			return err
		}
	}
	return checkAll(s.activitySettings, s.inboxSettings)
}

// policy returns the default policy with what has been set.
func (s feedSettings) policy() feed.Policy {
	p := feed.DefaultPolicy()
	p.Fanout = s.Fanout
	p.PushThreshold = s.PushThreshold
	p.ActiveFor = s.ActiveFor
	// An inbox goes when its viewer was away for twice as long.
	p.DormantFor = s.ActiveFor
	p.SubtaskSize = s.SubtaskSize
	p.PushTogether = s.PushTogether
	p.InboxCap = s.InboxCap
	p.FollowLimit = s.FollowLimit
	return p
}

// logSettings say what is logged and how.
type logSettings struct {
	LogLevel  slog.Level `env:"TIDELINE_LOG_LEVEL" default:"info" placeholder:"LEVEL" help:"debug, info, warn or error (${default})."`
	LogFormat string     `env:"TIDELINE_LOG_FORMAT" default:"text" enum:"text,json" help:"text or json (${default})."`
}

// logger returns a logger that writes to w. Its lines say which request they belong to.
func (s logSettings) logger(w io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: s.LogLevel}
	var handler slog.Handler = slog.NewTextHandler(w, opts)
	if s.LogFormat == "json" {
		handler = slog.NewJSONHandler(w, opts)
	}
	return slog.New(telemetry.LogContext(handler, logAttrs))
}

// tokenSettings say what tokens are signed with.
type tokenSettings struct {
	JWTSecret string `env:"TIDELINE_JWT_SECRET" placeholder:"TEXT" help:"Secret that HS256 tokens are signed with, at least 32 bytes. Without one the server makes its own in the data directory and serves this machine only."`
}

// check refuses a secret that can be guessed.
func (s tokenSettings) check() error {
	return checkSecret("--jwt-secret", s.JWTSecret)
}

// exampleSecret was an example in the README, so anyone can sign tokens with it.
const exampleSecret = "at-least-32-bytes-that-nobody-guesses" //nolint:gosec // it is refused

// checkSecret refuses a secret that can be guessed: a short one and the published example.
// An empty one is none.
func checkSecret(flag, secret string) error {
	n := len(secret)
	switch {
	case n > 0 && n < gateway.MinSecret:
		return badSetting("%s must have at least %d bytes, not %d", flag, gateway.MinSecret, n)
	case strings.EqualFold(strings.TrimSpace(secret), exampleSecret):
		return badSetting("%s is the example of the documentation, which everyone knows; make one with: openssl rand -hex 32", flag)
	}
	return nil
}

// secret returns the configured secret, or the data directory's.
func (s tokenSettings) secret(db databaseSettings) ([]byte, error) {
	if s.JWTSecret != "" {
		return []byte(s.JWTSecret), nil
	}
	if err := db.makeDataDir(); err != nil {
		return nil, err
	}
	return gateway.LoadOrCreateSecret(db.DataDir)
}

func schemeOf(url string) string {
	scheme, _, found := strings.Cut(url, "://")
	if !found {
		// Without a scheme this may be anything, a password too.
		return "…"
	}
	return scheme + "://"
}

func hasScheme(url string, schemes ...string) bool {
	for _, s := range schemes {
		if strings.HasPrefix(url, s+"://") {
			return true
		}
	}
	return false
}
