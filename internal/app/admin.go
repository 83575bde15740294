package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/internal/warnings"
	"github.com/tideline-feeds/tideline/tasks"
)

// adminSettings say where operators look into the process, and who may.
type adminSettings struct {
	AdminAddr  string `env:"TIDELINE_ADMIN_ADDR" placeholder:"HOST:PORT" help:"Another address, for operators: metrics, task queues, profiles and health. It needs --admin-token unless only this machine can reach it."`
	AdminToken string `env:"TIDELINE_ADMIN_TOKEN" placeholder:"TEXT" help:"Bearer token, at least 32 bytes, that gives programs access to metrics and task queues."`
}

// Check refuses a token that can be guessed, and an address that anybody could use.
func (s adminSettings) Check() error {
	if err := checkSecret("--admin-token", s.AdminToken); err != nil {
		return err
	}
	if s.AdminAddr == "" {
		return nil
	}
	if _, _, err := net.SplitHostPort(s.AdminAddr); err != nil {
		return BadSetting("--admin-addr must be HOST:PORT, such as 127.0.0.1:9090, not %q", s.AdminAddr)
	}
	if s.AdminToken == "" && !gateway.IsLoopbackAddr(s.AdminAddr) {
		return BadSetting("--admin-addr %s can be reached from other machines, which needs an --admin-token; without one only 127.0.0.1 and localhost are allowed", s.AdminAddr)
	}
	return nil
}

// desk is what operators look at.
type desk struct {
	metrics, queues http.Handler
	health          *health
	// close closes what the handlers hold.
	close func() error
}

// desk makes what operators look at.
func (c *Server) desk(a *services, st *stores, kept caches, monitor *warnings.Monitor) desk {
	sources := c.sources(a, st, kept)
	sources.Warnings = monitor.States
	a.metrics.Watch(sources)
	queues, closeQueues := tasks.UI(st.queue, "/tasks", !c.TasksWritable)
	h := &health{st: st, needsQueue: c.Role == RoleWorker, stores: &lastLook{now: time.Now}, warnings: monitor.Active}
	return desk{metrics: a.metrics.Handler(), queues: queues, health: h, close: closeQueues}
}

// admin answers operators. Probes need no token: they are told nothing but whether the
// process lives, and what it waits for.
func (s adminSettings) admin(d desk) http.Handler {
	tools := http.NewServeMux()
	tools.Handle("/metrics", d.metrics)
	tools.Handle("/tasks", d.queues)
	tools.Handle("/tasks/", d.queues)
	tools.HandleFunc("/debug/pprof/", pprof.Index)
	tools.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	tools.HandleFunc("/debug/pprof/profile", pprof.Profile)
	tools.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	tools.HandleFunc("/debug/pprof/trace", pprof.Trace)

	strangers := gateway.DemandAdminToken()
	if gateway.IsLoopbackAddr(s.AdminAddr) {
		strangers = gateway.OnlyLoopback(tools)
	}
	mux := http.NewServeMux()
	d.health.routes(mux)
	mux.Handle("/", gateway.SecureHeaders(gateway.AllowAdminToken(s.AdminToken, tools, strangers)))
	return mux
}

// openAdmin listens for operators, if it is to, and returns what stops that. It serves at
// once and until it is stopped, which is when nothing else runs any more: the end of a
// process can be watched too.
func (s adminSettings) openAdmin(ctx context.Context, handler http.Handler, log *slog.Logger) (stop func(), err error) {
	if s.AdminAddr == "" {
		return func() {}, nil
	}
	listener, err := listen(ctx, "--admin-addr", s.AdminAddr)
	if err != nil {
		return nil, err
	}
	srv := gateway.NewServer(handler, gateway.Timeouts{Header: headerWithin, Idle: idleWithin}, log)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := srv.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("operators cannot look into the process any more", "error", err)
		}
	}()
	log.Info("operators are served", "address", listener.Addr().String())
	return func() {
		_ = srv.Close() // a profile under way is of no use any more
		<-ended
	}, nil
}
