package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/demo"
	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/internal/warnings"
	"github.com/tideline-feeds/tideline/tasks"
)

// The roles of a server process.
const (
	roleAll    = "all"
	roleAPI    = "api"
	RoleWorker = "worker"
)

// ServerSettings are what serve and worker share.
type ServerSettings struct {
	DatabaseSettings
	postgresSettings
	RedisSettings
	feedSettings
	cacheSettings
	logSettings
	adminSettings
	traceSettings
}

// redis returns the Redis servers to work with.
func (s ServerSettings) redis() RedisServers { return s.Servers(s.Inbox) }

// Server is a process that serves requests, does the background work, or both. Its fields
// are its settings; see [Server.Serve].
type Server struct {
	ServerSettings
	identitySettings
	browserSettings
	limitSettings
	watchSettings
	Addr string `env:"TIDELINE_ADDR" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address to listen on; port 0 picks a free port (${default})."`
	Role string `env:"TIDELINE_ROLE" default:"all" enum:"all,api,worker" help:"all does everything in one process, api serves requests, worker does the background work (${default})."`
	Demo *bool  `env:"TIDELINE_DEMO" negatable:"" help:"Create demo data if the database has no users. On by default for the embedded database only."`

	Compress      bool `env:"TIDELINE_COMPRESS" default:"true" negatable:"" help:"Compress responses with zstd or gzip, except streams and sockets. Turn it off if a proxy compresses (${default})."`
	TasksWritable bool `env:"TIDELINE_TASKS_WRITABLE" help:"Let administrators pause queues and run, archive and delete tasks at /tasks, which is read-only otherwise."`
}

// Check refuses settings that are wrong or do not go together.
func (c *Server) Check() error {
	if err := CheckAll(c.DatabaseSettings, c.postgresSettings, c.RedisSettings, c.feedSettings, c.cacheSettings, c.identitySettings, c.browserSettings, c.adminSettings, c.watchSettings, c.traceSettings); err != nil {
		return err
	}
	if c.Role != roleAll && c.redis().IsEmbedded() {
		return BadSetting("--role=%s works with other processes, which needs a --redis-url they share; the embedded Redis is this process's own", c.Role)
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
		return BadSetting("--addr %s can be reached from other machines, which needs --jwt-secret or --jwks-url; without either only 127.0.0.1 and localhost are allowed", c.Addr)
	}
	return nil
}

// Start is what a server is started with beside its settings.
type Start struct {
	// At is when the process began, for the ready line.
	At time.Time
	// Out gets the lines that say where everything is, the ready line last.
	Out io.Writer
	Log *slog.Logger
	// Checks are further checks for the warnings of the server.
	Checks []warnings.Check
}

// Serve serves until ctx ends, then stops taking requests, finishes what is running,
// and closes the stores. The settings must have passed [Server.Check] and [Server.Try].
func (c *Server) Serve(ctx context.Context, start Start) error {
	tuneMemory(os.DirFS("/"), os.Getenv)
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
		log.Warn("the last traces could not be sent", "error", lost)
	}
	return err
}

// Try refuses settings that only the machine can say are wrong, before any data is created:
// addresses that cannot be listened at, and files that cannot be read.
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
		// It is opened again when requests can be served. Until then they are refused and
		// not kept waiting.
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

// listen listens at the address that a flag names.
func listen(ctx context.Context, flag, addr string) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, BadSetting("%s: %v; name an address of this machine with a free port", flag, err)
	}
	return listener, nil
}

// serve opens everything before it starts anything, runs the parts that the role
// asks for, and stops them in order: requests under way are finished first, and the
// tasks under way after them. When one part fails, all stop.
func (c *Server) serve(ctx context.Context, st *stores, start Start) error {
	log := start.Log
	kept := st.openCaches(c.cacheSettings, log)
	layout := c.layout(st)
	a := newServices(st, kept, st.inboxes(c.feedSettings).in(layout), c.policy(), log)
	a.layout = layout
	if c.Inbox != InboxSQL && c.redis().Main.URL != Embedded {
		a.watch(st, log)
	}
	defer a.keepLayout(ctx, log)()
	defer func() { _ = a.queue.Close() }()
	defer a.live.behind.wait()
	defer a.shares.wait()
	defer a.records.wait()
	forget, err := c.takeOver(ctx, st)
	if err != nil {
		return err
	}
	defer forget()
	demoData, err := c.makeDemo(ctx, st, log)
	if err != nil {
		return err
	}
	monitor := c.monitor(a, st, start)
	monitor.Evaluate(ctx)
	d := c.desk(a, st, kept, monitor)
	defer func() { _ = d.close() }()
	closeAdmin, err := c.openAdmin(ctx, c.admin(d), log)
	if err != nil {
		return err
	}
	defer closeAdmin()
	serveRequests, err := c.openAPI(ctx, a, st, d, demoData, start)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	working, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	group.Go(func() error {
		defer stopWork()
		return serveRequests(ctx)
	})
	c.routines(ctx, group, a, st, kept, monitor, demoData, log)
	if c.Role != roleAPI {
		group.Go(func() error { return work(working, a, st, log) })
	}
	err = group.Wait()
	log.Info("stopped")
	return err
}

// revocationInterval is how often a process looks which tokens were revoked: what they have
// opened ends within a second, also while Redis, which tells of them at once, is away.
const revocationInterval = 500 * time.Millisecond

// routines are what a process does every now and then, whatever it is asked for.
func (c *Server) routines(ctx context.Context, group *errgroup.Group, a *services, st *stores, kept caches, monitor *warnings.Monitor, demoData bool, log *slog.Logger) {
	every := func(interval time.Duration, what string, do func(context.Context) error) {
		group.Go(func() error {
			tasks.Every(ctx, interval, what, log, do)
			return nil
		})
	}
	every(clockInterval, "comparison of clocks", st.clock.compare)
	every(warnings.Interval, "evaluation of warnings", func(ctx context.Context) error {
		monitor.Evaluate(ctx)
		return nil
	})
	if demoData {
		every(demo.StepInterval, "animation of the demo", a.animator(st).Step)
	}
	if c.Role != RoleWorker {
		every(lrucache.RefreshEvery, "refresh of caches", kept.refresh)
		every(revocationInterval, "look at revoked tokens", st.revocations.Refresh)
	}
}

// takeOver begins the life of the embedded Redis: the queue of the process before
// this one died with it, so that all that is not done is due again; and other
// commands are told where this one is, until forget is called. It does nothing when
// Redis is a server of its own.
func (c *Server) takeOver(ctx context.Context, st *stores) (forget func(), err error) {
	if !c.redis().IsEmbedded() {
		return func() {}, nil
	}
	if err := st.sql.Requeue(ctx, feed.Millis(time.Now())); err != nil {
		return nil, err
	}
	return c.writeRedisURL(st.embeddedURL)
}

// openAPI listens, and returns what serves requests until its context ends. A
// worker has none to serve: what it gets waits for the end.
func (c *Server) openAPI(ctx context.Context, a *services, st *stores, d desk, demoData bool, start Start) (serve func(context.Context) error, err error) {
	if c.Role == RoleWorker {
		_, _ = fmt.Fprint(start.Out, "Tideline\n", c.places())
		_, _ = fmt.Fprintf(start.Out, "tideline worker is ready after %v\n", time.Since(start.At).Round(time.Millisecond))
		return func(ctx context.Context) error { <-ctx.Done(); d.health.stop(); return nil }, nil
	}
	api, err := c.handler(a, st, d, demoData, start.Log)
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
		return serveHTTP(c.leaving(ctx, d.health, start.Log), listener, api, start.Log)
	}, nil
}

// announce prints where everything is. The last line is the ready line.
func (c *Server) announce(start Start, addr net.Addr, pass *gateway.DemoPass) {
	base := "http://" + reachable(addr)
	_, _ = fmt.Fprintf(start.Out, `Tideline
  web client  %[1]s/
  GraphiQL    %[1]s/graphiql
  task queues %[1]s/tasks  (%[4]s)
  GraphQL     %[1]s/graphql
%[5]s%[2]sready after %[3]v: open %[1]s/graphiql
`, base, c.places(), time.Since(start.At).Round(time.Millisecond), c.adminHint(), demoLink(start.Out, base, pass))
}

// demoLink returns a line with the link that lets one browser sign in as demo users, and has
// the next link printed whenever one was used; no line where there are no demo users.
func demoLink(out io.Writer, base string, pass *gateway.DemoPass) string {
	if pass == nil {
		return ""
	}
	link := func(secret string) string { return base + "/#demo=" + secret }
	first := pass.Secret(func(next string) {
		_, _ = fmt.Fprintf(out, "  the demo link was used; for another browser: %s\n", link(next))
	})
	return fmt.Sprintf("  demo        %s  (lets one browser sign in as demo users)\n", link(first))
}

// places says in lines where the stores are, without users and passwords.
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

// reachable returns an address that a browser on this machine can open: one that stands for
// all addresses of the machine is not one.
func reachable(addr net.Addr) string {
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return addr.String()
}

// makeDemo fills an empty database with demo data and says whether the database
// holds demo data, which is up to the processes that serve it.
func (c *Server) makeDemo(ctx context.Context, st *stores, log *slog.Logger) (bool, error) {
	wanted := c.DatabaseURL == ""
	if c.Demo != nil {
		wanted = *c.Demo
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
		log.Info("made demo data", "took", time.Since(began).Round(time.Millisecond))
	}
	return st.sql.IsDemo(ctx)
}

// animator has the live sessions of the demo data go on. Its hosts are not active for it.
func (a *services) animator(st *stores) *demo.Animator {
	hosting := *a.live.hosting
	hosting.Recorder = nil
	return &demo.Animator{
		Hosting: &hosting, History: a.live.history, Leaders: st.sql, Holder: a.keeper.Holder,
		Size: demo.DefaultSize(), Clock: time.Now, Rand: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
	}
}

// work does the background work until ctx ends, and then finishes what is running.
func work(ctx context.Context, a *services, st *stores, log *slog.Logger) error {
	w := tasks.NewWorker(st.queue, a.handlers(), st.spans.work(tasks.Options{
		Log: log, Spread: st.queue.Sharded(), Done: a.metrics.TaskDone, PayloadVersion: thisVersion().payload,
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
	a.resign(ctx, log)
	w.Shutdown()
	return err
}

// resignWithin is how long a worker that stops tries to hand over what it leads in. The
// others take over by themselves some seconds later.
const resignWithin = time.Second

// resign leaves what this process leads in to the others.
func (a *services) resign(ctx context.Context, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), resignWithin)
	defer cancel()
	err := a.keeper.Resign(ctx)
	if a.heart != nil {
		err = errors.Join(err, a.heart.Resign(ctx))
	}
	if err != nil {
		log.Warn("what this process leads in could not be handed over; others take over in some seconds", "error", err)
	}
}

// The server's own patience with clients, in the order of a request's life. A
// request's body is small, so ten seconds are generous for it; what is not done
// after drainWithin when the server stops is cut off.
const (
	headerWithin = 5 * time.Second
	readWithin   = 10 * time.Second
	idleWithin   = 2 * time.Minute
	// takenWithin bounds a whole response, from the end of the request's header; streams move
	// this deadline with each message. The largest file of the web client is 1.4 MB: 12 KB/s.
	takenWithin = 2 * time.Minute
	drainWithin = 15 * time.Second
)

// leaving returns a context that ends DrainDelay after ctx, and makes the process unready
// when ctx ends.
func (c *Server) leaving(ctx context.Context, h *health, log *slog.Logger) context.Context {
	leaving, leave := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() {
		defer leave()
		h.stop()
		if c.DrainDelay > 0 {
			log.Info("stopping: requests are taken a while longer", "for", c.DrainDelay)
			<-time.After(c.DrainDelay)
		}
	})
	return leaving
}

// newServer returns the server that answers by a handler.
func newServer(h http.Handler, log *slog.Logger) *http.Server {
	return gateway.NewServer(h, gateway.Timeouts{
		Header: headerWithin, Read: readWithin, Write: takenWithin, Idle: idleWithin,
	}, log)
}

// serveHTTP serves until ctx ends, then lets requests under way finish, and ends streams
// and sockets.
func serveHTTP(ctx context.Context, l net.Listener, a *api, log *slog.Logger) error {
	srv := newServer(a, log)
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		log.Info("stopping: requests under way are finished")
		drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainWithin)
		defer cancel()
		var group errgroup.Group
		group.Go(func() error { return a.streams.Drain(drain) })
		group.Go(func() error {
			err := srv.Shutdown(drain)
			if err != nil {
				err = errors.Join(err, srv.Close()) // clients that have not read their responses by now
			}
			return err
		})
		stopped <- group.Wait()
	}()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}
