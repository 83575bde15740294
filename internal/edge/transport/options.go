package transport

import (
	"cmp"
	"context"
	"net/http"
	"time"
)

// Authenticate returns who begins a stream or a socket; payload is that of connection_init, or nil
// for a stream. It returns a descendant of ctx for operations, and when the token expires; zero for
// never. Its error has the code UNAUTHENTICATED, FORBIDDEN or BAD_USER_INPUT if the client is refused.
type Authenticate func(ctx context.Context, payload map[string]any) (context.Context, time.Time, error)

// Options configures a [Transport]. All fields have defaults.
type Options struct {
	// Authenticate is called once for each stream and socket; ctx has the viewer by default.
	Authenticate Authenticate
	// Recheck is called before each operation and message of a stream or a socket. An error ends
	// it. By default it returns the cause of ctx.
	Recheck func(ctx context.Context) error
	// Origins says which other sites may open a socket, since browsers let any. By default none
	// may.
	Origins *http.CrossOriginProtection

	// OperationWithin bounds a query, a mutation, or an event ([Transport.Bounded]). The default is
	// 10 s; a page by the reference query takes tens of milliseconds.
	OperationWithin time.Duration
	// InitWithin bounds the wait for connection_init, and for the stream after its reservation. The
	// default is 5 s.
	InitWithin time.Duration
	// KeepAlive is the interval of pings on streams and sockets. The default is 15 s, because
	// proxies close connections that are idle for 30 s.
	KeepAlive time.Duration
	// WriteWithin bounds a write to a stream or a socket, and the wait for a pong; 10 s by default.
	WriteWithin time.Duration
	// ResponseWithin bounds the writing of any other response; 60 s by default: 4 MiB at 70 kB/s.
	ResponseWithin time.Duration
	// UnsentMax is the number of bytes that may wait for clients to receive them, or that idle
	// operations keep; one holder may have a quarter. Beyond it, the oldest response of the largest holder is cut off. The default is
	// [DefaultUnsentMax].
	UnsentMax int
	// Compress compresses responses for clients that accept it, except streams and sockets.
	Compress bool
	// Cut is called for each response that UnsentMax cuts off; it may be nil.
	Cut func()
	// Holder returns for which holder a request counts: a user, a service, or else an address, as
	// package fairshare describes. By default all have the same.
	Holder func(context.Context) string
	// OperationsMax is the number of concurrent operations on one socket or reserved stream; 50 by
	// default.
	OperationsMax int
	// ConnectionsMax is the number of streams and sockets. The default is 10,000. An idle socket
	// takes 25 KB, and may keep 16 KiB of operations that count nowhere else, so they take 250 to
	// 400 MB. If there are as many, the oldest of the largest holder ends
	// for a new one. A tenth as many reservations may be without a stream.
	ConnectionsMax int
	// ConnectionKey returns the holder of a stream or socket; empty if it has no limit of its own,
	// which is the default.
	ConnectionKey func(context.Context) string
	// Owner returns the identity that a reserved stream belongs to; empty for the anonymous one,
	// which is the default.
	Owner func(context.Context) string
	// CallbackURLs are those to which subscriptions may be sent; by default none.
	CallbackURLs CallbackURLs
	// CallbackTransport connects to them; by default without a proxy.
	CallbackTransport http.RoundTripper
	// KeyConnectionsMax is the number of streams and sockets of one holder. The default is 200: an
	// office shares one address, and one machine alone cannot take them all.
	KeyConnectionsMax int
	// Full is called for each stream and socket that is refused or ends for another one; it may be
	// nil.
	Full func()
}

// DefaultUnsentMax is 64 MiB. The quarter for one holder holds four of the largest responses.
const DefaultUnsentMax = 64 << 20

func (o Options) withDefaults() Options {
	if o.Authenticate == nil {
		o.Authenticate = asRequested
	}
	if o.Recheck == nil {
		o.Recheck = context.Cause
	}
	if o.Origins == nil {
		o.Origins = http.NewCrossOriginProtection()
	}
	if o.ConnectionKey == nil {
		o.ConnectionKey = func(context.Context) string { return "" }
	}
	if o.Owner == nil {
		o.Owner = func(context.Context) string { return "" }
	}
	if o.Full == nil {
		o.Full = func() {}
	}
	if o.Cut == nil {
		o.Cut = func() {}
	}
	if o.Holder == nil {
		o.Holder = func(context.Context) string { return "all" }
	}
	o.ResponseWithin = cmp.Or(o.ResponseWithin, time.Minute)
	o.UnsentMax = cmp.Or(o.UnsentMax, DefaultUnsentMax)
	o.OperationWithin = cmp.Or(o.OperationWithin, 10*time.Second)
	o.InitWithin = cmp.Or(o.InitWithin, 5*time.Second)
	o.KeepAlive = cmp.Or(o.KeepAlive, 15*time.Second)
	o.WriteWithin = cmp.Or(o.WriteWithin, 10*time.Second)
	o.OperationsMax = cmp.Or(o.OperationsMax, 50)
	o.ConnectionsMax = cmp.Or(o.ConnectionsMax, 10_000)
	o.KeyConnectionsMax = cmp.Or(o.KeyConnectionsMax, 200)
	return o
}

func asRequested(ctx context.Context, _ map[string]any) (context.Context, time.Time, error) {
	return ctx, time.Time{}, nil
}
