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

// Tracer sends spans to an OpenTelemetry collector. Make one with [NewTracer]. It is safe for
// concurrent use.
type Tracer struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
	carrier  propagation.TraceContext
}

// TracerOptions configure a [Tracer].
type TracerOptions struct {
	// Endpoint is the URL of the collector, such as http://127.0.0.1:4318. Without a path,
	// /v1/traces is appended.
	Endpoint string
	// Ratio is the share of traces to keep, from 0 to 1. All processes keep the same ones.
	Ratio float64
	// Version and Role describe the process.
	Version, Role string
}

// NewTracer returns a tracer. It does not wait for the collector; spans are lost while that is
// unavailable.
func NewTracer(ctx context.Context, o TracerOptions) (*Tracer, error) {
	endpoint := o.Endpoint
	if scheme, rest, _ := strings.Cut(endpoint, "://"); !strings.Contains(rest, "/") {
		endpoint = scheme + "://" + rest + "/v1/traces"
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint))
	if err != nil {
		return nil, fmt.Errorf("send traces: %w", err)
	}
	// The decision depends only on the trace id: clients that request sampling must not cause
	// more work.
	ratio := sdktrace.TraceIDRatioBased(o.Ratio)
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(exporter),
		sdktrace.WithSampler(sdktrace.ParentBased(ratio, sdktrace.WithRemoteParentSampled(ratio), sdktrace.WithRemoteParentNotSampled(ratio))),
		sdktrace.WithResource(resource.NewSchemaless(
			attribute.String("service.name", namespace), attribute.String("service.version", o.Version), attribute.String("tideline.role", o.Role))),
	)
	return &Tracer{provider: provider, tracer: provider.Tracer(namespace)}, nil
}

// Close sends the remaining spans until ctx ends.
func (t *Tracer) Close(ctx context.Context) error { return t.provider.Shutdown(ctx) }

// Start begins a span within that of ctx, or a new trace. attributes are names and values in
// turn, and must not contain texts of users. The returned function ends the span with an error or
// nil.
func (t *Tracer) Start(ctx context.Context, name string, attributes ...string) (context.Context, func(error)) {
	return t.start(ctx, name, trace.SpanKindInternal, attributes)
}

// Within begins a span within that of ctx. Without one it does nothing, for example for work of
// stores during a sweep.
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

// Serve begins a span for every request to path, within that of the header traceparent. Sockets
// have none: each of their operations is a trace.
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

// Carry returns the span of ctx in the form for [Tracer.Resume]; nil if there is none.
func (t *Tracer) Carry(ctx context.Context) map[string]string {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return nil
	}
	carried := propagation.MapCarrier{}
	t.carrier.Inject(ctx, carried)
	return carried
}

// Resume begins a span within a carried one, or else a new trace.
func (t *Tracer) Resume(ctx context.Context, name string, carried map[string]string) (context.Context, func(error)) {
	return t.start(t.carrier.Extract(ctx, propagation.MapCarrier(carried)), name, trace.SpanKindConsumer, nil)
}

// TraceID returns the trace id of ctx in hexadecimal; empty if there is none.
func TraceID(ctx context.Context) string {
	if span := trace.SpanContextFromContext(ctx); span.IsValid() {
		return span.TraceID().String()
	}
	return ""
}
