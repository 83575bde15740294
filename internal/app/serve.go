package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/people"
	"github.com/tideline-feeds/tideline/feed/positions"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/demo"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/kit/warnings"
	"github.com/tideline-feeds/tideline/tasks"
)

// Roles of a server process.
const (
	roleAll    = "all"
	roleAPI    = "api"
	RoleWorker = "worker"
)

// ServerSettings are the settings of both serve and worker.
type ServerSettings struct {
	DatabaseSettings
	postgresSettings
	RedisSettings
	feedSettings
	cacheSettings
	upstreamSettings
	logSettings
	adminSettings
	traceSettings
}

func (s ServerSettings) redis() RedisServers { return s.Servers(s.Inbox) }

// Server is a process that serves requests, does background work, or both. Its fields are its
// settings.
type Server struct {
	ServerSettings
	identitySettings
	browserSettings
	limitSettings
	watchSettings
	Addr string `env:"TIDELINE_ADDR" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address to listen on; port 0 picks a free port (${default})."`
	Role string `env:"TIDELINE_ROLE" default:"all" enum:"all,api,worker" help:"all does everything in one process, api serves requests, worker does the background work (${default})."`
	Demo *bool  `env:"TIDELINE_DEMO" negatable:"" help:"Create demo data if the database has no users. On by default for the embedded database only."`

	// Reads makes a worker read a source, and run no tasks; nil otherwise.
	Reads SourceReader `kong:"-"`

	Compress      bool `env:"TIDELINE_COMPRESS" default:"true" negatable:"" help:"Compress responses with zstd or gzip, except streams and sockets. Turn it off if a proxy compresses (${default})."`
	TasksWritable bool `env:"TIDELINE_TASKS_WRITABLE" help:"Let administrators pause queues and run, archive and delete tasks at /tasks, which is read-only otherwise."`
}

// Check returns an error that names the first invalid setting.
func (c *Server) Check() error {
	if err := CheckAll(c.DatabaseSettings, c.postgresSettings, c.RedisSettings, c.feedSettings, c.cacheSettings, c.upstreamSettings, c.identitySettings, c.browserSettings, c.adminSettings, c.watchSettings, c.traceSettings); err != nil {
		return err
	}
	if c.ServiceToken != "" && c.ServiceToken == c.AdminToken {
		return BadSetting("--service-token must differ from --admin-token, which opens metrics and task queues")
	}
	if c.Reads != nil && c.redis().IsEmbedded() {
		return BadSetting("%s works with other processes and needs a --redis-url they share; the embedded Redis belongs to one process", c.Reads.Label())
	}
	if c.Role != roleAll && c.redis().IsEmbedded() {
		return BadSetting("--role=%s works with other processes and needs a --redis-url they share; the embedded Redis belongs to one process", c.Role)
	}
	if c.Role == RoleWorker {
		return nil // the command worker has no settings about clients
	}
	if err := c.limitSettings.Check(); err != nil {
		return err
	}
	if _, _, err := net.SplitHostPort(c.Addr); err != nil {
		return BadSetting("--addr must be HOST:PORT, such as 127.0.0.1:8080, not %q", c.Addr)
	}
	if !c.configured() && !gateway.IsLoopbackAddr(c.Addr) {
		return BadSetting("--addr %s is reachable from other machines and needs --jwt-secret or --jwks-url; without either only 127.0.0.1 and localhost are allowed", c.Addr)
	}
	return nil
}

// Start has the arguments of [Server.Serve] that are not settings.
type Start struct {
	// At is when the process began, for the ready line.
	At time.Time
	// Out receives the addresses of everything; the ready line comes last.
	Out io.Writer
	Log *slog.Logger
	// Checks are additional checks for warnings.
	Checks []warnings.Check
}

// Serve serves until ctx ends. Then it stops accepting requests, finishes those in progress, and
// closes the stores. The settings must have passed [Server.Check] and [Server.Try].
func (c *Server) Serve(ctx context.Context, start Start) error {
	defer tuneMemory(os.DirFS("/"), os.Getenv)()
	log := start.Log
	redisstore.LogTo(log)
	if c.redis().IsEmbedded() {
		unlock, err := c.lockDataDir()
		if err != nil {
			return err
		}
		defer unlock()
	}
	sp, err := c.tracer(ctx, c.Role)
	if err != nil {
		return err
	}
	st, err := openStores(ctx, c.DatabaseSettings, c.redis(), sp, log, c.postgresSettings.option())
	if err != nil {
		return err
	}
	err = errors.Join(c.serve(ctx, st, start), st.close())
	if lost := sp.close(ctx); lost != nil {
		log.Warn("cannot send the last traces", "error", lost)
	}
	return err
}

// Try refuses unavailable addresses and unreadable files, before any data is created.
func (c *Server) Try(ctx context.Context) error {
	addresses := map[string]string{"--admin-addr": c.AdminAddr}
	if c.Role != RoleWorker {
		addresses["--addr"] = c.Addr
	}
	for flag, addr := range addresses {
		if addr == "" {
			continue
		}
		listener, err := listen(ctx, flag, addr)
		if err != nil {
			return err
		}
		// Until the server is ready, connections should be refused rather than wait.
		if err := listener.Close(); err != nil {
			return err
		}
	}
	if c.TrustedDocuments == "" {
		return nil
	}
	_, err := readManifest(c.TrustedDocuments)
	return err
}

func listen(ctx context.Context, flag, addr string) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, BadSetting("%s: %v; set an address of this machine with a free port", flag, err)
	}
	return listener, nil
}

// serve opens everything before it starts anything, and runs the parts of its role. At the end it
// finishes requests first and tasks second. If one part fails, all stop.
func (c *Server) serve(ctx context.Context, st *stores, start Start) error {
	log := start.Log
	if _, err := st.sql.CheckEpoch(ctx); err != nil {
		return err
	}
	owned, err := c.UseOwners(ctx, st.sql, log)
	if err != nil {
		return err
	}
	policy := c.servedPolicy(owned)
	st.upstreams = c.openUpstreams(st.sql, log)
	kept := st.openCaches(c.cacheSettings, owned, c.Role != RoleWorker, log) //nolint:contextcheck // the follower ends with the stores
	format := c.storageFormat(st)
	a := newServices(st, kept, st.inboxes(c.feedSettings).in(format), policy, log)
	a.format = format
	if c.Inbox != InboxSQL && c.redis().Main.URL != Embedded {
		a.startHeartbeat(st, log)
	}
	defer a.pollFormat(ctx, log)()
	if err := a.catchUp(ctx, kept.follower); err != nil {
		return err
	}
	defer a.finish()
	removeURL, err := c.startEmbedded(ctx, st)
	if err != nil {
		return err
	}
	defer removeURL()
	demoData, err := c.makeDemo(ctx, owned, st, log)
	if err != nil {
		return err
	}
	monitor := c.monitor(a, st, start)
	monitor.Evaluate(ctx)
	ops := c.operatorEndpoints(ctx, a, st, kept, monitor)
	defer func() { _ = ops.close() }()
	closeAdmin, err := c.openAdmin(ctx, c.admin(ops), log)
	if err != nil {
		return err
	}
	defer closeAdmin()
	serveRequests, err := c.openAPI(ctx, a, st, ops, demoData, start)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	stopWork := c.startWork(ctx, group, a, st, log)
	defer stopWork()
	group.Go(func() error {
		defer stopWork()
		return serveRequests(ctx)
	})
	c.startPeriodic(ctx, group, a, st, monitor, demoData, log)
	err = group.Wait()
	log.Info("stopped")
	return err
}

// startWork starts what the role works on besides requests: tasks, or the records of a source.
// Tasks outlive ctx until the returned function is called, so that requests finish before them.
func (c *Server) startWork(ctx context.Context, group *errgroup.Group, a *services, st *stores, log *slog.Logger) context.CancelFunc {
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	switch {
	case c.Reads != nil:
		group.Go(func() error {
			return c.Reads.Consume(ctx, Intake{Sink: a.sink, Store: st.sql, Metrics: a.metrics, Holder: a.maintenance.Holder, Log: log})
		})
	case c.Role != roleAPI:
		group.Go(func() error { return work(working, a, st, log) })
	}
	return stop
}

// servedPolicy is the policy with what other systems own.
func (c *Server) servedPolicy(owned feed.RecordTypes) feed.Policy {
	p := c.policy()
	p.Owned, p.Upstream = owned, c.Upstream()
	return p
}

// revocationInterval ends connections of revoked tokens within a second, even without Redis.
const revocationInterval = 500 * time.Millisecond

// leadInterval is how often a process that does not number changes tries to lead.
const leadInterval = time.Second

// startPeriodic starts the periodic work of every process.
func (c *Server) startPeriodic(ctx context.Context, group *errgroup.Group, a *services, st *stores, monitor *warnings.Monitor, demoData bool, log *slog.Logger) {
	every := func(interval time.Duration, what string, do func(context.Context) error) {
		group.Go(func() error {
			tasks.Every(ctx, interval, what, log, do)
			return nil
		})
	}
	every(clockInterval, "comparison of clocks", st.clock.compare)
	group.Go(func() error {
		tasks.Every(ctx, leadInterval, "numbering of changes", log, a.numberer.Lead)
		resign(ctx, log, a.numberer.Resign)
		return nil
	})
	every(warnings.Interval, "evaluation of warnings", func(ctx context.Context) error {
		monitor.Evaluate(ctx)
		return nil
	})
	every(positions.RefreshInterval, "look for new sources", func(ctx context.Context) error {
		_ = a.reports.Refresh(ctx) // /readyz reports that the database does not answer
		return nil
	})
	if demoData {
		every(demo.StepInterval, "animation of the demo", a.animator(st).Step)
	}
	if c.Role != RoleWorker {
		every(revocationInterval, "look at revoked tokens", st.revocations.Refresh)
		every(people.OnlineInterval, "record of online users", a.online.Write)
	}
}

// startEmbedded prepares an embedded Redis: it makes unfinished work due again, since the previous
// queue is gone, and tells other commands where the Redis is, until remove is called.
func (c *Server) startEmbedded(ctx context.Context, st *stores) (removeURL func(), err error) {
	if !c.redis().IsEmbedded() {
		return func() {}, nil
	}
	if err := st.sql.Requeue(ctx, feed.Millis(time.Now())); err != nil {
		return nil, err
	}
	return c.writeRedisURL(st.embeddedURL)
}

// openAPI listens, and returns a function that serves until its context ends; a worker waits.
func (c *Server) openAPI(ctx context.Context, a *services, st *stores, ops operatorEndpoints, demoData bool, start Start) (serve func(context.Context) error, err error) {
	if c.Role == RoleWorker {
		_, _ = fmt.Fprint(start.Out, "Tideline\n", c.places())
		name := "worker"
		if c.Reads != nil {
			name = c.Reads.Label()
		}
		_, _ = fmt.Fprintf(start.Out, "tideline %s is ready after %v\n", name, time.Since(start.At).Round(time.Millisecond))
		return func(ctx context.Context) error { <-ctx.Done(); ops.health.stop(); return nil }, nil
	}
	api, err := c.handler(a, st, ops, demoData, start.Log)
	if err != nil {
		return nil, err
	}
	release := func() {}
	if !c.configured() {
		if release, err = c.holdSecret(); err != nil {
			return nil, err
		}
	}
	listener, err := listen(ctx, "--addr", c.Addr)
	if err != nil {
		release()
		return nil, err
	}
	c.announce(start, listener.Addr(), api.demo)
	return func(ctx context.Context) error {
		defer release()
		return serveHTTP(c.draining(ctx, ops.health, start.Log), listener, api, start.Log)
	}, nil
}

// announce prints the addresses. The last line is the ready line, with the address to open first.
func (c *Server) announce(start Start, addr net.Addr, pass *gateway.DemoPass) {
	base := "http://" + reachable(addr)
	_, _ = fmt.Fprintf(start.Out, `Tideline
  web client  %[1]s/
  GraphiQL    %[1]s/graphiql
  task queues %[1]s/tasks  (%[4]s)
  GraphQL     %[1]s/graphql
%[2]sready after %[3]v: open %[1]s%[5]s
`, base, c.places(), time.Since(start.At).Round(time.Millisecond), c.adminHint(), firstPage(start.Out, base, pass))
}

// firstPage returns the path of GraphiQL or, if there are demo users, of the link that lets one
// browser sign in as them. It prints the next link whenever one was used.
func firstPage(out io.Writer, base string, pass *gateway.DemoPass) string {
	if pass == nil {
		return "/graphiql"
	}
	const link = "/#demo="
	return link + pass.Secret(func(next string) {
		_, _ = fmt.Fprintf(out, "  the demo link was used; the link for another browser: %s%s%s\n", base, link, next)
	})
}

// places describes where the stores are, without credentials.
func (c *Server) places() string {
	database := "embedded SQLite in " + c.DataDir
	if c.DatabaseURL != "" {
		database = sqlstore.Place(c.DatabaseURL)
	}
	redis := c.redis()
	text := fmt.Sprintf("  database    %s\n  Redis       %s\n", database, redis.Main.place())
	if redis.Queue.URL != redis.Main.URL {
		text += fmt.Sprintf("  queues      %s\n", redis.Queue.place())
	}
	return text
}

// makeDemo fills an empty database, if enabled, and reports whether the database has demo data.
func (c *Server) makeDemo(ctx context.Context, owned feed.RecordTypes, st *stores, log *slog.Logger) (bool, error) {
	wanted := c.DatabaseURL == "" && len(owned) == 0 && st.ids == nil
	if c.Demo != nil {
		wanted = *c.Demo
	}
	if wanted && len(owned) > 0 {
		return false, BadSetting("--demo makes data of its own; sources own %s in this database", owned)
	}
	if wanted && st.ids != nil {
		return false, BadSetting("--demo makes data with numbers as ids; in this database ids are text")
	}
	if !wanted || c.Role == RoleWorker {
		return false, nil
	}
	empty, err := st.sql.Empty(ctx)
	if err != nil {
		return false, err
	}
	if empty {
		began := time.Now()
		if err := demo.Make(ctx, st.sql, demo.DefaultSize(), began, c.ActiveFor, 1); err != nil {
			return false, err
		}
		log.Info("created demo data", "took", time.Since(began).Round(time.Millisecond))
	}
	return st.sql.IsDemo(ctx)
}

// Hosts do not count as active because of the animator.
func (a *services) animator(st *stores) *demo.Animator {
	hosting := *a.live.hosting
	hosting.Recorder = nil
	return &demo.Animator{
		Hosting: &hosting, History: a.live.history, Leaders: st.sql, Holder: a.maintenance.Holder,
		Size: demo.DefaultSize(), Clock: time.Now, Rand: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
	}
}

// work does background work until ctx ends, and then finishes running tasks.
func work(ctx context.Context, a *services, st *stores, log *slog.Logger) error {
	w := tasks.NewWorker(st.queue, a.handlers(), st.spans.work(tasks.Options{
		Log: log, Prefix: st.queuePrefix, Spread: st.queue.Sharded(), Done: a.metrics.TaskDone, PayloadVersion: thisVersion().payload,
	}))
	if err := w.Start(); err != nil {
		return err
	}
	var periodic errgroup.Group
	for _, job := range a.periodic() {
		periodic.Go(func() error {
			tasks.Every(ctx, job.every, job.name, log, a.metrics.Periodic(job.name, job.do))
			return nil
		})
	}
	err := periodic.Wait()
	resign(ctx, log, a.leaderships()...)
	w.Shutdown()
	return err
}

// resignTimeout bounds the attempt to resign leases, which expire some seconds later anyway.
const resignTimeout = time.Second

// leaderships return the functions that resign what a worker may lead.
func (a *services) leaderships() []func(context.Context) error {
	list := []func(context.Context) error{a.maintenance.Resign}
	if a.heartbeat != nil {
		list = append(list, a.heartbeat.Resign)
	}
	return list
}

// resign hands leadership over to other processes.
func resign(ctx context.Context, log *slog.Logger, leaderships ...func(context.Context) error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), resignTimeout)
	defer cancel()
	var err error
	for _, leadership := range leaderships {
		err = errors.Join(err, leadership(ctx))
	}
	if err != nil {
		log.Warn("cannot resign leadership; other processes take over when the leases expire", "error", err)
	}
}
