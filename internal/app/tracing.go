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

// traceSettings configure traces.
type traceSettings struct {
	OTLPEndpoint string  `name:"otlp-endpoint" env:"TIDELINE_OTLP_ENDPOINT" placeholder:"URL" help:"OpenTelemetry collector that receives traces over HTTP, such as http://127.0.0.1:4318."`
	TraceRatio   float64 `env:"TIDELINE_TRACE_RATIO" default:"1" placeholder:"RATIO" help:"Share of requests to trace, from 0 to 1 (${default})."`
}

func (s traceSettings) Check() error {
	if u, err := url.Parse(s.OTLPEndpoint); s.OTLPEndpoint != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return BadSetting("--otlp-endpoint must be http://HOST:PORT or https://HOST:PORT, not %q", s.OTLPEndpoint)
	}
	return InRange("--trace-ratio", s.TraceRatio, 0, 1)
}

// tracer returns the source of spans; nil if traces are not exported.
func (s traceSettings) tracer(ctx context.Context, role string) (*spans, error) {
	if s.OTLPEndpoint == "" {
		return nil, nil
	}
	t, err := telemetry.NewTracer(ctx, telemetry.TracerOptions{Endpoint: s.OTLPEndpoint, Ratio: s.TraceRatio, Version: Version(), Role: role})
	return &spans{t}, err
}

// spans adds tracing to the parts of the server. A nil one adds nothing and costs nothing.
type spans struct{ tracer *telemetry.Tracer }

// closeTimeout bounds the wait for the collector at shutdown.
const closeTimeout = 5 * time.Second

// close sends the remaining spans, even if ctx has ended.
func (s *spans) close(ctx context.Context) error {
	if s == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	return s.tracer.Close(ctx)
}

func (s *spans) sql() []sqlstore.Option {
	if s == nil {
		return nil
	}
	return []sqlstore.Option{sqlstore.WithBegin(func(ctx context.Context, statement string) (context.Context, func(error)) {
		verb, _, _ := strings.Cut(strings.TrimSpace(statement), " ")
		return s.tracer.Within(ctx, "SQL "+strings.ToUpper(verb), "db.query.text", statement)
	})}
}

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

func (s *spans) requests(next http.Handler) http.Handler {
	if s == nil {
		return next
	}
	return s.tracer.Serve("/graphql", next)
}

// errRefused ends the span of a failed operation. The log has details.
var errRefused = errors.New("the operation has errors")

// operations traces operations. Clients choose their names.
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

func (s *spans) queue(o tasks.QueueOptions) tasks.QueueOptions {
	if s != nil {
		o.Headers = s.tracer.Carry
	}
	return o
}

func (s *spans) work(o tasks.Options) tasks.Options {
	if s != nil {
		o.Begin = func(ctx context.Context, typ string, headers map[string]string) (context.Context, func(error)) {
			return s.tracer.Resume(ctx, "task "+typ, headers)
		}
	}
	return o
}
