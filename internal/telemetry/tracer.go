package telemetry

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Tracer makes spans and sends them to a collector of OpenTelemetry. Make one with
// [NewTracer]; it may be used by many goroutines.
type Tracer struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
	carrier  propagation.TraceContext
}

// TracerOptions say where spans go, and how many.
type TracerOptions struct {
	// Endpoint is the URL of the collector, such as http://127.0.0.1:4318; the path
	// /v1/traces is added when it has none.
	Endpoint string
	// Ratio of all traces is kept, from 0 to 1. What is kept is kept by all processes.
	Ratio float64
	// Version and Role are told of the process.
	Version, Role string
}

// NewTracer returns a tracer. It does not wait for the collector: while that does not
// answer, spans are lost.
func NewTracer(ctx context.Context, o TracerOptions) (*Tracer, error) {
	endpoint := o.Endpoint
	if scheme, rest, _ := strings.Cut(endpoint, "://"); !strings.Contains(rest, "/") {
		endpoint = scheme + "://" + rest + "/v1/traces"
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint))
	if err != nil {
		return nil, fmt.Errorf("send traces: %w", err)
	}
	// Whether a trace is kept follows from its id, whoever began it: a client that asks for
	// its trace to be kept must not make the server do more.
	ratio := sdktrace.TraceIDRatioBased(o.Ratio)
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(exporter),
		sdktrace.WithSampler(sdktrace.ParentBased(ratio, sdktrace.WithRemoteParentSampled(ratio), sdktrace.WithRemoteParentNotSampled(ratio))),
		sdktrace.WithResource(resource.NewSchemaless(
			attribute.String("service.name", namespace), attribute.String("service.version", o.Version), attribute.String("tideline.role", o.Role))),
	)
	return &Tracer{provider: provider, tracer: provider.Tracer(namespace)}, nil
}

// Close sends what has not been sent yet, while ctx lasts.
func (t *Tracer) Close(ctx context.Context) error { return t.provider.Shutdown(ctx) }

// Start begins a span within that of ctx, or else a trace. Attributes are names and values
// in turn; they must tell nothing of contents. What it returns ends the span, with the
// error it ended with.
func (t *Tracer) Start(ctx context.Context, name string, attributes ...string) (context.Context, func(error)) {
	return t.start(ctx, name, trace.SpanKindInternal, attributes)
}

// Within begins a span within that of ctx, and does nothing when there is none: what stores
// do for nobody, as for a sweep, is not told.
func (t *Tracer) Within(ctx context.Context, name string, attributes ...string) (context.Context, func(error)) {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx, func(error) {}
	}
	return t.start(ctx, name, trace.SpanKindClient, attributes)
}

func (t *Tracer) start(ctx context.Context, name string, kind trace.SpanKind, attributes []string) (context.Context, func(error)) {
	var set []attribute.KeyValue
	for pair := range slices.Chunk(attributes, 2) {
		set = append(set, attribute.String(pair[0], pair[1]))
	}
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(set...))
	return ctx, func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// Serve begins a span for every request to path, within the one that the client names in
// traceparent if it does. Sockets have none: their operations have each a trace of its own.
func (t *Tracer) Serve(path string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path || r.Header.Get("Upgrade") != "" {
			next.ServeHTTP(w, r)
			return
		}
		ctx := t.carrier.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, end := t.start(ctx, r.Method+" "+path, trace.SpanKindServer, nil)
		defer end(nil)
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Carry returns what [Tracer.Resume] goes on from in another process; nil when ctx has no
// span.
func (t *Tracer) Carry(ctx context.Context) map[string]string {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return nil
	}
	carried := propagation.MapCarrier{}
	t.carrier.Inject(ctx, carried)
	return carried
}

// Resume begins a span within the one that was carried, or else a trace.
func (t *Tracer) Resume(ctx context.Context, name string, carried map[string]string) (context.Context, func(error)) {
	return t.start(t.carrier.Extract(ctx, propagation.MapCarrier(carried)), name, trace.SpanKindConsumer, nil)
}

// TraceID returns the id of the trace that ctx belongs to, in hexadecimal; empty when there
// is none.
func TraceID(ctx context.Context) string {
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		return span.TraceID().String()
	}
	return ""
}
