package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed/people"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/internal/demo"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
	"github.com/tideline-feeds/tideline/internal/kit/httpbody"
	"github.com/tideline-feeds/tideline/internal/telemetry"
	"github.com/tideline-feeds/tideline/resolvers"
	"github.com/tideline-feeds/tideline/web"
)

// OperationTimeout bounds a query or mutation. The slowest legitimate one, a full page by the
// reference query for a viewer with 2,000 follows, takes tens of milliseconds.
const OperationTimeout = 10 * time.Second

type api struct {
	http.Handler
	// streams are the open streams and sockets, to drain at shutdown.
	streams *transport.Transport
	// demo enables demo sign-in; nil if there are no demo users.
	demo *gateway.DemoPass
}

func (c *Server) handler(a *services, st *stores, ops operatorEndpoints, demoData bool, log *slog.Logger) (*api, error) {
	id, err := c.identity(a, st, demoData, log)
	if err != nil {
		return nil, err
	}
	limits, err := c.guard(st, log)
	if err != nil {
		return nil, err
	}
	subgraph, err := c.subgraph()
	if err != nil {
		return nil, err
	}
	limits.MayIntrospect = c.describe()
	callbacks, err := transport.ParseCallbackURLs(c.CallbackURLs)
	if err != nil {
		return nil, err
	}
	streams := transport.New(transport.Options{
		Authenticate: id.who.Connect, Recheck: st.revocations.Recheck, Origins: id.origins.Trust(), OperationWithin: OperationTimeout,
		CallbackURLs: callbacks, ConnectionKey: connectionKey, Owner: identityKey, Full: func() { a.metrics.LimitHit(telemetry.LimitConnections) },
		Holder: holderKey, UnsentMax: c.UnsentMax << 20, Compress: c.Compress, Cut: func() { a.metrics.LimitHit(telemetry.LimitUnsent) },
	})
	a.metrics.Connections(streams.Open)
	a.metrics.Unsent(streams.Unsent)
	graphql := endpoint(id, newProxyWatch(log, time.Now, st.sql, a.doubtWrites.run), resolvers.Deps{
		Timeline: a.feeds, Directory: a.directory, Requests: a.directory, Lists: a.lists, ListKeeper: a.lists, Publisher: a.publisher, Follower: a.follower,
		Relater: a.relations, Moderator: a.moderator, Accounts: a.accounts, ReadPositions: a.reading, Live: a.live.feed, LiveChanges: a.liveChanges, Hosting: a.live.hosting, Subscriptions: a.subscribe,
		Users: a.directory, Counters: a.counters, Relations: st.sql, Sanctions: st.sql, Upstreams: st.upstreams.loaders(), Owned: a.sink.Policy.Owned, IDs: st.finder(), Positions: dataPositions{a.positions, a.reports}, Fanouts: a.monitorFanouts(st),
		Log: log, Trace: st.spans.operations(c.trace(a.metrics, log)), Transport: streams, Introspection: c.introspects(c.Addr), Subgraph: subgraph, Guard: limits,
	})
	located := gateway.Locate(c.proxies(), c.routes(a, ops, id, graphql, c.chargeIngest(limits, a, log), log))
	return &api{Handler: observed(located, st.spans, log), streams: streams, demo: id.demo}, nil
}

func endpoint(id *identity, watch *proxyWatch, d resolvers.Deps) http.Handler {
	return id.protect(withOrigin(watch, resolvers.NewHandler(d)))
}

// observed adds what all requests have, and a deadline for those that do not stream.
func observed(h http.Handler, sp *spans, log *slog.Logger) http.Handler {
	h = gateway.SecureHeaders(bounded(h))
	return transport.Detach(gateway.AssignRequestID(nil, sp.requests(gateway.LogAccess(log, time.Now, gateway.Recover(log, h)))))
}

// bounded includes sign-in. The transport bounds operations of streams and sockets, and ingest each
// pause of a client.
func bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if transport.Streams(r) || r.URL.Path == ingestPath {
			next.ServeHTTP(w, r)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), OperationTimeout)
		defer cancel()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// routes wraps each handler in the protection that it needs. Only the API accepts other origins.
// Probes and sign-in work while users cannot be authenticated.
func (c *Server) routes(a *services, ops operatorEndpoints, id *identity, graphql http.Handler, charge ingestCharge, log *slog.Logger) http.Handler {
	sessions := gateway.SessionOptions{
		Tokens: id.verifiers.Secret, Verifier: id.who.Verifier, Revoke: id.signOut, Origins: id.origins.Trust(), Log: log,
		SignedIn: func(ctx context.Context, id gateway.Identity) { a.recorder.RecordIfStored(ctx, id.User) },
	}
	if id.demo != nil {
		sessions.Demo, sessions.Pass = a.demoUsers, id.demo
	}
	admin := func(h http.Handler) http.Handler {
		return gateway.AllowAdminToken(c.AdminToken, h, id.identify(gateway.RequireAdmin(h)))
	}
	mux := http.NewServeMux()
	mux.Handle("/graphql", graphql)
	mux.Handle("/session", gateway.CORS(id.origins, gateway.Sessions(sessions)))
	mux.Handle("/tasks", admin(ops.queues))
	mux.Handle("/tasks/", admin(ops.queues))
	mux.Handle("/metrics", admin(ops.metrics))
	ops.health.routes(mux)
	if len(a.sink.Policy.Owned) > 0 {
		mux.Handle(ingestPath, id.identify(gateway.RequireService(a.intake(charge, log))))
	}
	files := pages()
	if c.Compress {
		files = httpbody.Compressor(httpbody.Small)(files)
	}
	mux.Handle("/", id.identify(files))
	return mux
}

func pages() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/graphiql", web.GraphiQL("/graphql"))
	mux.Handle("/graphiql/", web.GraphiQL("/graphql"))
	mux.Handle("GET /schema.graphql", schema())
	mux.Handle("/", web.Client(web.ClientInfo{Version: Version()}))
	return mux
}

// schemaMaxAge is in seconds. Different versions run side by side during an upgrade anyway.
const schemaMaxAge = "300"

func schema() http.Handler {
	text := []byte(resolvers.Schema())
	tag := httpbody.Tag(text)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Type", "text/plain; charset=utf-8")
		header.Set("Cache-Control", "public, max-age="+schemaMaxAge)
		header.Set("ETag", tag)
		httpbody.Serve(w, r, text)
	})
}

// attach sets the viewer of a request and stores new users.
func (a *services) attach(ctx context.Context, id gateway.Identity) (context.Context, error) {
	ctx = resolvers.WithService(ctx, id.Service, id.User)
	switch {
	case id.Admin:
		ctx = resolvers.WithRole(ctx, id.User, model.RoleAdmin)
	case id.Moderator:
		ctx = resolvers.WithRole(ctx, id.User, model.RoleModerator)
	}
	if id.User == 0 {
		return ctx, nil
	}
	err := a.accounts.SignIn(ctx, people.Claims{User: id.User, External: id.Subject, Handle: id.Handle, Name: id.Name, AvatarURL: id.Picture})
	return ctx, err
}

func (a *services) demoUsers(ctx context.Context) ([]gateway.DemoUser, error) {
	users, err := a.users.Users(ctx, demo.Users(demo.DefaultSize()))
	var out []gateway.DemoUser
	for _, u := range users {
		if u != nil {
			out = append(out, gateway.DemoUser{ID: u.ID, Handle: u.Handle, Name: u.Name})
		}
	}
	return out, err
}

// reachable replaces a wildcard address, which no browser can open.
func reachable(addr net.Addr) string {
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return addr.String()
}

// Timeouts for clients, in the order of a request's life. Bodies are small.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	// The largest file of the web client has 1.4 MB: 12 KB/s. Streams extend the deadline.
	writeTimeout = 2 * time.Minute
	drainTimeout = 15 * time.Second
)

// draining returns a context that ends DrainDelay after ctx. The process is unready in between.
func (c *Server) draining(ctx context.Context, h *health, log *slog.Logger) context.Context {
	draining, leave := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() {
		defer leave()
		h.stop()
		if c.DrainDelay > 0 {
			log.Info("stopping; still accepting requests", "for", c.DrainDelay)
			<-time.After(c.DrainDelay)
		}
	})
	return draining
}

func newServer(h http.Handler, log *slog.Logger) *http.Server {
	return gateway.NewServer(h, gateway.Limits{
		HeaderBytes: transport.HeaderMax, Header: headerTimeout, Read: readTimeout, Write: writeTimeout, Idle: idleTimeout,
	}, log)
}

// serveHTTP serves until ctx ends, then finishes requests, and ends streams and sockets.
func serveHTTP(ctx context.Context, l net.Listener, a *api, log *slog.Logger) error {
	srv := newServer(a, log)
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		log.Info("stopping; finishing requests in progress")
		drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
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
