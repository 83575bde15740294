package app

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/telemetry"
	"github.com/tideline-feeds/tideline/tasks"
)

// SettingError says which setting is invalid, and what is allowed.
type SettingError struct{ text string }

func (e *SettingError) Error() string { return e.text }

// BadSetting returns a [SettingError] which says what is invalid, and what is allowed.
func BadSetting(format string, args ...any) error {
	return &SettingError{text: fmt.Sprintf(format, args...)}
}

// Embedded is the --redis-url of a Redis inside the process.
const Embedded = "embedded"

type checker interface{ Check() error }

// CheckAll returns the first error of the groups, a [SettingError]; nil if all are valid.
func CheckAll(groups ...checker) error {
	for _, g := range groups {
		if err := g.Check(); err != nil {
			return err
		}
	}
	return nil
}

// DatabaseSettings configure the source of truth.
type DatabaseSettings struct {
	DataDir     string `env:"TIDELINE_DATA_DIR" default:"./data" placeholder:"DIR" help:"Directory of the embedded database and of generated secrets (${default})."`
	DatabaseURL string `env:"TIDELINE_DATABASE_URL" placeholder:"URL" help:"sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME; by default a SQLite file in the data directory."`
	IDs         string `name:"ids" env:"TIDELINE_IDS" placeholder:"number|text" help:"What ids are in requests, tokens and records: number, or text for the ids of another system. The first start chooses for ever, number by default; later starts need not repeat it."`
}

// url returns the URL of the database. It creates the data directory if the database is there.
func (s DatabaseSettings) url() (string, error) {
	if s.DatabaseURL != "" {
		return s.DatabaseURL, nil
	}
	if err := s.makeDataDir(); err != nil {
		return "", err
	}
	return "sqlite://" + s.embeddedPath(), s.makePrivate()
}

// makePrivate hides the embedded database from other users; earlier versions did not.
func (s DatabaseSettings) makePrivate() error {
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

func (s DatabaseSettings) embeddedPath() string { return filepath.Join(s.DataDir, "tideline.db") }

func (s DatabaseSettings) makeDataDir() error {
	if err := os.MkdirAll(s.DataDir, 0o700); err != nil {
		return BadSetting("--data-dir: %v; set a directory that can be created and written to", err)
	}
	return nil
}

// CheckExists returns a [SettingError] that begins with the command if the database is a file that
// does not exist. Commands that read data would otherwise create an empty one.
func (s DatabaseSettings) CheckExists(command string) error {
	path, isFile := strings.CutPrefix(s.DatabaseURL, "sqlite://")
	if s.DatabaseURL == "" {
		path, isFile = s.embeddedPath(), true
	}
	if !isFile {
		return nil
	}
	if _, err := os.Stat(path); err != nil {
		return BadSetting("%s: there is no database: %v; set another --data-dir or --database-url", command, err)
	}
	return nil
}

// Check returns an error that names the first invalid setting.
func (s DatabaseSettings) Check() error {
	if mode := feed.IDMode(s.IDs); mode != "" && mode != feed.NumberIDs && mode != feed.TextIDs {
		return BadSetting("--ids must be number or text, not %q", s.IDs)
	}
	if s.DatabaseURL == "" || hasScheme(s.DatabaseURL, "sqlite", "postgres", "postgresql") {
		return nil
	}
	return BadSetting("--database-url must start with sqlite:// or postgres://, not %q", schemeOf(s.DatabaseURL))
}

// RedisSettings configure inboxes, messages between processes, and queues.
type RedisSettings struct {
	RedisURL      string `env:"TIDELINE_REDIS_URL" default:"embedded" placeholder:"URL" help:"embedded for a Redis inside this process, or the URL of another: redis://, rediss://, redis-sentinel:// or redis-cluster:// (${default})."`
	QueueRedisURL string `env:"TIDELINE_QUEUE_REDIS_URL" placeholder:"URL" help:"Redis of the task queues, if it is another one. With --inbox=sql it can be the only Redis."`
	QueuePrefix   string `env:"TIDELINE_QUEUE_PREFIX" placeholder:"TEXT" help:"Begins the names of the task queues, such as blue: for blue:push, so that several deployments can share a Redis. Workers also empty the queues without it."`
}

// Check returns an error that names the first invalid setting.
func (s RedisSettings) Check() error {
	for flag, url := range map[string]string{"--redis-url": s.RedisURL, "--queue-redis-url": s.QueueRedisURL} {
		if url != "" && url != Embedded && !hasScheme(url, "redis", "rediss", "redis-sentinel", "redis-cluster") {
			return BadSetting("%s must be embedded, redis://, rediss://, redis-sentinel:// or redis-cluster://, not %q", flag, schemeOf(url))
		}
	}
	if !tasks.ValidPrefix(s.QueuePrefix) {
		return BadSetting("--queue-prefix must be at most 40 letters, digits and -_.: such as blue:, not %.60q", s.QueuePrefix)
	}
	return nil
}

// RedisServer is the URL of a Redis and the flag that configured it.
type RedisServer struct{ Flag, URL string }

// place describes where the server is, without credentials.
func (s RedisServer) place() string {
	if s.URL == Embedded {
		return Embedded
	}
	return redisstore.Place(s.URL)
}

// RedisServers are those of a process. Main has the inboxes, unless they are in SQL, and the
// messages between processes; Queue has the tasks, in queues whose names begin with QueuePrefix.
type RedisServers struct {
	Main, Queue RedisServer
	QueuePrefix string
}

// Servers returns the configured servers; inbox is the value of --inbox. With inboxes in SQL, the
// server of the queues also carries the messages if it is the only one.
func (s RedisSettings) Servers(inbox string) RedisServers {
	main := RedisServer{"--redis-url", s.RedisURL}
	queue := RedisServer{"--queue-redis-url", s.QueueRedisURL}
	switch {
	case queue.URL == "":
		queue = main
	case main.URL == Embedded && inbox == InboxSQL:
		main = queue
	}
	return RedisServers{main, queue, s.QueuePrefix}
}

// IsEmbedded reports whether any Redis is inside this process, and so empty at each start.
func (s RedisServers) IsEmbedded() bool { return s.Main.URL == Embedded || s.Queue.URL == Embedded }

// InboxSQL is the --inbox for inboxes in the database.
const InboxSQL = "sql"

// InboxSettings configure the place and size of inboxes.
type InboxSettings struct {
	Inbox    string `env:"TIDELINE_INBOX" default:"redis" enum:"redis,sql" help:"Store of the inboxes: redis or sql. Pushes to sql take longer, but inboxes survive a loss of Redis (${default})."`
	InboxCap int    `env:"TIDELINE_INBOX_CAP" default:"300" placeholder:"N" help:"Maximum entries of an inbox; older posts come from the database (${default})."`
}

// Check refuses sizes out of range.
func (s InboxSettings) Check() error { return InRange("--inbox-cap", s.InboxCap, 1, 10_000) }

// InRange returns a [SettingError] unless from ≤ n ≤ to, where n is the value of flag.
func InRange[N cmp.Ordered](flag string, n, from, to N) error {
	if n < from || n > to {
		return BadSetting("%s must be from %v to %v, not %v", flag, from, to, n)
	}
	return nil
}

// feedSettings are the configurable parts of the policy.
type feedSettings struct {
	InboxSettings
	ActivitySettings
	SourceSettings
	FanoutSettings
	FlagsKept     time.Duration `env:"TIDELINE_FLAGS_KEPT" default:"168h" placeholder:"DURATION" help:"How long an author must have less than 80% of --push-threshold followers before posts are pushed to all again (${default})."`
	SubtaskSize   int           `env:"TIDELINE_SUBTASK_SIZE" default:"1000" placeholder:"N" help:"Followers per slice of a fan-out, which is one task. Authors with very many followers get up to four times as many (${default})."`
	PushTogether  int           `env:"TIDELINE_PUSH_TOGETHER" default:"16" placeholder:"N" help:"Maximum waiting posts of one author that one task pushes together (${default})."`
	OnlineFirst   int           `env:"TIDELINE_ONLINE_FIRST" default:"1000" placeholder:"N" help:"Maximum followers who get a post before all others because they are connected or have just read their feed: at most one in a hundred, if the author has more than 5,000 followers; 0 for none (${default})."`
	ChangesKept   time.Duration `env:"TIDELINE_CHANGES_KEPT" default:"720h" placeholder:"DURATION" help:"How long the change log is kept (${default})."`
	ReorderWindow time.Duration `env:"TIDELINE_REORDER_WINDOW" default:"720h" placeholder:"DURATION" help:"How long after a newer record a source may send an older one of the same follow, relation or reaction (${default})."`
	FollowLimit   int           `env:"TIDELINE_FOLLOW_LIMIT" default:"2000" placeholder:"N" help:"Maximum number of users that one user can follow (${default})."`
}

// FanoutSettings select the followers that posts are pushed to.
type FanoutSettings struct {
	Fanout        feed.FanoutMode `env:"TIDELINE_FANOUT" default:"hybrid" enum:"hybrid,push,pull" help:"hybrid pushes to all followers up to --push-threshold, and above it to active followers only; push pushes to all; pull pushes to none (${default})."`
	PushThreshold int             `env:"TIDELINE_PUSH_THRESHOLD" default:"5000" placeholder:"N" help:"Number of followers up to which posts are pushed to all of them (${default})."`
}

// Check returns an error that names the first invalid setting.
func (s FanoutSettings) Check() error {
	return InRange("--push-threshold", s.PushThreshold, 0, math.MaxInt32)
}

// Apply sets the policy's fields.
func (s FanoutSettings) Apply(p *feed.Policy) { p.Fanout, p.PushThreshold = s.Fanout, s.PushThreshold }

// ActivitySettings configure how long activity lasts.
type ActivitySettings struct {
	ActiveFor time.Duration `env:"TIDELINE_ACTIVE_FOR" default:"720h" placeholder:"DURATION" help:"How long a user counts as active. After twice as long, their inbox is removed until the next visit (${default})."`
}

// Check returns an error that names the first invalid setting.
func (s ActivitySettings) Check() error {
	if s.ActiveFor < shortestActiveFor || s.ActiveFor > longestActiveFor {
		return BadSetting("--active-for must be from 1m to 87600h, not %v", s.ActiveFor)
	}
	return nil
}

// With a shorter one, the lease of activity would be renewed several times per visit.
const (
	shortestActiveFor = time.Minute
	longestActiveFor  = 10 * 365 * 24 * time.Hour
)

// With a shorter log, processes that are paused for a minute purge their caches. A longer one only
// takes space.
const (
	shortestChangesKept = time.Minute
	longestChangesKept  = 10 * 365 * 24 * time.Hour
)

// Retries of queues take minutes. A longer window only takes space.
const (
	shortestReorderWindow = time.Minute
	longestReorderWindow  = 10 * 365 * 24 * time.Hour
)

const longestFlagsKept = 10 * 365 * 24 * time.Hour

func (s feedSettings) Check() error {
	return cmp.Or(
		InRange("--flags-kept", s.FlagsKept, 0, longestFlagsKept),
		InRange("--subtask-size", s.SubtaskSize, 1, 100_000),
		InRange("--push-together", s.PushTogether, 1, 1000),
		InRange("--online-first", s.OnlineFirst, 0, 10_000),
		InRange("--changes-kept", s.ChangesKept, shortestChangesKept, longestChangesKept),
		InRange("--reorder-window", s.ReorderWindow, shortestReorderWindow, longestReorderWindow),
		InRange("--follow-limit", s.FollowLimit, 0, 100_000),
		CheckAll(s.FanoutSettings, s.ActivitySettings, s.InboxSettings, s.SourceSettings),
	)
}

// policy returns the policy without the types that sources own, which the database knows.
func (s feedSettings) policy() feed.Policy {
	p := feed.DefaultPolicy()
	s.FanoutSettings.Apply(&p)
	p.FlagsKept = s.FlagsKept
	p.ActiveFor = s.ActiveFor
	// Inboxes of users who were away for twice as long are removed.
	p.DormantFor = s.ActiveFor
	p.SliceSize = s.SubtaskSize
	p.PushTogether = s.PushTogether
	p.OnlineFirst = s.OnlineFirst
	p.InboxCap = s.InboxCap
	p.FollowLimit = s.FollowLimit
	p.ChangesKept = s.ChangesKept
	p.ReorderWindow = s.ReorderWindow
	return p
}

// logSettings configure the log.
type logSettings struct {
	LogLevel  slog.Level `env:"TIDELINE_LOG_LEVEL" default:"info" placeholder:"LEVEL" help:"debug, info, warn or error (${default})."`
	LogFormat string     `env:"TIDELINE_LOG_FORMAT" default:"text" enum:"text,json" help:"text or json (${default})."`
}

// Logger returns a logger that writes to w. Its lines name their request, and outages have one line
// each when they begin and end.
func (s logSettings) Logger(w io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: s.LogLevel}
	var handler slog.Handler = slog.NewTextHandler(w, opts)
	if s.LogFormat == "json" {
		handler = slog.NewJSONHandler(w, opts)
	}
	return slog.New(telemetry.LogContext(telemetry.Outages(handler), logAttrs))
}

// TokenSettings configure the secret of tokens.
type TokenSettings struct {
	JWTSecret string `env:"TIDELINE_JWT_SECRET" placeholder:"TEXT" help:"Secret of HS256 tokens, at least 32 bytes. By default, the server generates one in the data directory and serves only this machine."`
}

// Check refuses weak secrets.
func (s TokenSettings) Check() error {
	return checkSecret("--jwt-secret", s.JWTSecret)
}

// exampleSecret begins the secret that the README once had, so anyone could sign tokens with it.
const exampleSecret = "at-least-32-bytes" //nolint:gosec // it is refused

func checkSecret(flag, secret string) error {
	n := len(secret)
	switch {
	case n > 0 && n < gateway.MinSecret:
		return BadSetting("%s must have at least %d bytes, not %d", flag, gateway.MinSecret, n)
	case strings.HasPrefix(strings.ToLower(strings.TrimSpace(secret)), exampleSecret):
		return BadSetting("%s is the public example of the documentation; generate one with: openssl rand -hex 32", flag)
	}
	return nil
}

// Secret returns the configured secret, or else the generated one in the data directory of db.
func (s TokenSettings) Secret(db DatabaseSettings) ([]byte, error) {
	if s.JWTSecret != "" {
		return []byte(s.JWTSecret), nil
	}
	if err := db.makeDataDir(); err != nil {
		return nil, err
	}
	return gateway.LoadOrCreateSecret(db.DataDir)
}

// schemeOf returns what messages can show of a URL. Without a scheme, it could be a password.
func schemeOf(url string) string {
	scheme, _, found := strings.Cut(url, "://")
	if !found {
		return "…"
	}
	return scheme + "://"
}

func hasScheme(url string, schemes ...string) bool {
	scheme, _, found := strings.Cut(url, "://")
	return found && slices.Contains(schemes, scheme)
}
