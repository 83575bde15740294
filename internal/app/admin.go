package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
	"github.com/tideline-feeds/tideline/internal/kit/warnings"
	"github.com/tideline-feeds/tideline/tasks"
)

// adminSettings configure the endpoints for operators.
type adminSettings struct {
	AdminAddr  string `env:"TIDELINE_ADMIN_ADDR" placeholder:"HOST:PORT" help:"Another address, for operators: metrics, task queues, profiles and health. It needs --admin-token unless only this machine can reach it; a token that is set is always demanded."`
	AdminToken string `env:"TIDELINE_ADMIN_TOKEN" placeholder:"TEXT" help:"Bearer token, at least 32 bytes, that gives programs access to metrics and task queues."`
}

// Check refuses weak tokens, and addresses that any client could use.
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
		return BadSetting("--admin-addr %s is reachable from other machines and needs an --admin-token; without one only 127.0.0.1 and localhost are allowed", s.AdminAddr)
	}
	return nil
}

// operatorEndpoints serve operators.
type operatorEndpoints struct {
	metrics, queues http.Handler
	health          *health
	// close releases the resources of the handlers.
	close func() error
}

func (c *Server) operatorEndpoints(ctx context.Context, a *services, st *stores, kept caches, monitor *warnings.Monitor) operatorEndpoints {
	sources := c.sources(a, st, kept)
	sources.Warnings = monitor.States
	a.metrics.Watch(sources)
	queues, closeQueues := tasks.UI(st.queue, "/tasks", !c.TasksWritable, st.taskNames(ctx))
	h := &health{needsQueue: c.Role == RoleWorker, stores: checkedStores(st.check, time.Now), warnings: monitor.Active, sources: a.reports}
	queues = withFanouts(queues, fanoutPages(a.monitorFanouts(st), st.finder(), "/tasks"), "/tasks")
	return operatorEndpoints{metrics: a.metrics.Handler(), queues: queues, health: h, close: closeQueues}
}

// Probes need no token, because they reveal only whether the process is alive and ready.
func (s adminSettings) admin(ops operatorEndpoints) http.Handler {
	tools := http.NewServeMux()
	tools.Handle("/metrics", ops.metrics)
	tools.Handle("/tasks", ops.queues)
	tools.Handle("/tasks/", ops.queues)
	tools.HandleFunc("/debug/pprof/", pprof.Index)
	tools.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	tools.HandleFunc("/debug/pprof/profile", pprof.Profile)
	tools.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	tools.HandleFunc("/debug/pprof/trace", pprof.Trace)

	// A local proxy can look like a local client, so a token that is set is always demanded.
	strangers := gateway.DemandAdminToken()
	if s.AdminToken == "" && gateway.IsLoopbackAddr(s.AdminAddr) {
		strangers = gateway.OnlyLoopback(tools)
	}
	mux := http.NewServeMux()
	ops.health.routes(mux)
	mux.Handle("/", gateway.SecureHeaders(gateway.AllowAdminToken(s.AdminToken, tools, strangers)))
	return mux
}

// openAdmin serves operators, if an address is configured, until stop is called. Call it first and
// stop last, so that operators can watch start and shutdown.
func (s adminSettings) openAdmin(ctx context.Context, handler http.Handler, log *slog.Logger) (stop func(), err error) {
	if s.AdminAddr == "" {
		return func() {}, nil
	}
	listener, err := listen(ctx, "--admin-addr", s.AdminAddr)
	if err != nil {
		return nil, err
	}
	srv := gateway.NewServer(handler, gateway.Limits{HeaderBytes: transport.HeaderMax, Header: headerTimeout, Idle: idleTimeout}, log)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := srv.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.Error("operator endpoints failed", "error", err)
		}
	}()
	log.Info("serving operators", "address", listener.Addr().String())
	return func() {
		_ = srv.Close() // a profile under way is of no use any more
		<-ended
	}, nil
}
