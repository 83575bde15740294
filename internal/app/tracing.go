package app

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/telemetry"
	"github.com/tideline-feeds/tideline/resolvers"
	"github.com/tideline-feeds/tideline/tasks"
)

// traceSettings say where traces go.
type traceSettings struct {
	OTLPEndpoint string  `name:"otlp-endpoint" env:"TIDELINE_OTLP_ENDPOINT" placeholder:"URL" help:"OpenTelemetry collector that receives traces over HTTP, such as http://127.0.0.1:4318."`
	TraceRatio   float64 `env:"TIDELINE_TRACE_RATIO" default:"1" placeholder:"RATIO" help:"Share of requests to trace, from 0 to 1 (${default})."`
}

// Check refuses what is no URL of a collector, and no ratio.
func (s traceSettings) Check() error {
	if u, err := url.Parse(s.OTLPEndpoint); s.OTLPEndpoint != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return BadSetting("--otlp-endpoint must be http://HOST:PORT or https://HOST:PORT, not %q", s.OTLPEndpoint)
	}
	return InRange("--trace-ratio", s.TraceRatio, 0, 1)
}

// tracer returns what makes spans; nil if traces are not exported.
func (s traceSettings) tracer(ctx context.Context, role string) (*spans, error) {
	if s.OTLPEndpoint == "" {
		return nil, nil
	}
	t, err := telemetry.NewTracer(ctx, telemetry.TracerOptions{Endpoint: s.OTLPEndpoint, Ratio: s.TraceRatio, Version: Version(), Role: role})
	return &spans{t}, err
}

// spans puts a tracer where things happen. A nil one puts nothing there, so that what is
// not traced costs nothing.
type spans struct{ tracer *telemetry.Tracer }

// closeWithin bounds the wait for a collector when the process ends.
const closeWithin = 5 * time.Second

// close sends what is left, also when ctx has ended.
func (s *spans) close(ctx context.Context) error {
	if s == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeWithin)
	defer cancel()
	return s.tracer.Close(ctx)
}

// sql returns what the database is opened with.
func (s *spans) sql() []sqlstore.Option {
	if s == nil {
		return nil
	}
	return []sqlstore.Option{sqlstore.WithBegin(func(ctx context.Context, statement string) (context.Context, func(error)) {
		verb, _, _ := strings.Cut(strings.TrimSpace(statement), " ")
		return s.tracer.Within(ctx, "SQL "+strings.ToUpper(verb), "db.query.text", statement)
	})}
}

// redis tells of what the stores ask of Redis.
func (s *spans) redis(st *stores) {
	if s == nil {
		return
	}
	begin := func(ctx context.Context, command string) (context.Context, func(error)) {
		return s.tracer.Within(ctx, "Redis "+strings.ToUpper(command))
	}
	st.redis.Observe(begin)
	if st.queue != st.redis {
		st.queue.Observe(begin)
	}
}

// requests tells of requests to the API.
func (s *spans) requests(next http.Handler) http.Handler {
	if s == nil {
		return next
	}
	return s.tracer.Serve("/graphql", next)
}

// errRefused is how the span of an operation ends that has errors; which, is in the log.
var errRefused = errors.New("the operation has errors")

// operations tells of operations. Names are the clients' own.
func (s *spans) operations(t resolvers.Trace) resolvers.Trace {
	if s == nil {
		return t
	}
	t.Begin = func(ctx context.Context, kind, name string) (context.Context, func(code string)) {
		ctx, end := s.tracer.Start(ctx, kind, "graphql.operation.name", name)
		return ctx, func(code string) {
			if code != "" {
				end(errRefused)
				return
			}
			end(nil)
		}
	}
	return t
}

// queue returns what the queue is made with: tasks take the trace along.
func (s *spans) queue(o tasks.QueueOptions) tasks.QueueOptions {
	if s != nil {
		o.Headers = s.tracer.Carry
	}
	return o
}

// work goes on with the trace that a task took along.
func (s *spans) work(o tasks.Options) tasks.Options {
	if s != nil {
		o.Begin = func(ctx context.Context, typ string, headers map[string]string) (context.Context, func(error)) {
			return s.tracer.Resume(ctx, "task "+typ, headers)
		}
	}
	return o
}
