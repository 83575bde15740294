package transport

import (
	"cmp"
	"context"
	"net/http"
	"time"
)

// Authenticate says who asks on a stream or a socket. ctx is the request's, in which
// whoever stands before the transport may have put an identity already; payload is that
// of connection_init, and nil for a stream, which has none. It returns the context to run
// operations in, which must descend from ctx; when the token stops holding, the zero time
// for never; or an error of code UNAUTHENTICATED or FORBIDDEN for who is not let in, and
// of any other code for what failed.
type Authenticate func(ctx context.Context, payload map[string]any) (context.Context, time.Time, error)

// Options sets up a [Transport]. The zero value is of use: every field says what its
// zero means.
type Options struct {
	// Authenticate is asked once for every stream and socket. When nil, everybody is who
	// the request's context says, for as long as the connection lasts.
	Authenticate Authenticate
	// Recheck is asked before every operation and every message of a stream or a socket
	// whether the viewer of ctx may go on. What it does not let go on ends. When nil, it does
	// as long as ctx, which Authenticate may end.
	Recheck func(ctx context.Context) error
	// Origins says which other sites may open a socket. Browsers let any site open one to
	// any server, so unlike for other requests the server has to say no. When nil, only
	// pages of this server may.
	Origins *http.CrossOriginProtection

	// OperationWithin bounds a query, a mutation, or an event of a subscription
	// ([Transport.Bounded]). Zero means 10 s: the slowest honest one, a full page by the
	// reference query, takes tens of milliseconds.
	OperationWithin time.Duration
	// InitWithin is how long a new socket may wait with its connection_init. Zero means
	// 5 s: it is the first thing a client sends.
	InitWithin time.Duration
	// KeepAlive is how often a sign of life is sent on idle streams and sockets, so that
	// proxies keep them open and a vanished client is noticed. Zero means 15 s: proxies
	// cut what is silent for 30 s or more.
	KeepAlive time.Duration
	// WriteWithin bounds one write to a stream or a socket, and the answer to a sign of
	// life. Zero means 10 s: who takes longer has gone, or makes the server keep what it
	// does not read.
	WriteWithin time.Duration
	// ResponseWithin bounds the writing of a response other than a stream, from its first
	// byte. Zero means 60 s: the largest response, 4 MiB, takes that long at 70 kB/s, and an
	// ordinary page of 10 kB at 170 bytes per second.
	ResponseWithin time.Duration
	// UnsentMax is how many bytes of responses and messages may wait for clients to receive
	// them, in all; an address may have a quarter of it. Beyond that the response that has
	// waited longest is cut off. Zero means [DefaultUnsentMax].
	UnsentMax int
	// Compress has responses compressed for clients that accept it, except streams and
	// sockets.
	Compress bool
	// Cut is called for every response that is cut off so; it may be nil.
	Cut func()
	// Address returns the address that a request comes from, by its context. When nil, all
	// come from one.
	Address func(context.Context) string
	// OperationsMax is how many operations may run on one socket. Zero means 50: a page
	// has a few.
	OperationsMax int
	// ConnectionsMax is how many streams and sockets there may be at once. Zero means
	// 10,000: an idle socket takes some 45 KB, so that makes half a gigabyte.
	ConnectionsMax int
	// ConnectionKey says whose a stream or a socket is, by the request's context, such as
	// the address it comes from; the empty text for nobody's. When nil, all are nobody's.
	ConnectionKey func(context.Context) string
	// KeyConnectionsMax is how many streams and sockets may be of one key. Zero means 200:
	// an office behind one address has some, and one machine alone cannot take all.
	KeyConnectionsMax int
	// Full is told of every stream and socket that is turned away for want of room. Nobody
	// is told when it is nil.
	Full func()
}

// DefaultUnsentMax is how many bytes may wait for clients to receive them: 64 MiB. A quarter of
// it is four responses of the largest size for one address, or 80 pages of 200 kB, while the
// memory that slow clients can take stays small beside that of the caches.
const DefaultUnsentMax = 64 << 20

// withDefaults returns the options with all that was left out filled in.
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
	if o.Full == nil {
		o.Full = func() {}
	}
	if o.Cut == nil {
		o.Cut = func() {}
	}
	if o.Address == nil {
		o.Address = func(context.Context) string { return "" }
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

// asRequested lets everybody in as who the request's context says.
func asRequested(ctx context.Context, _ map[string]any) (context.Context, time.Time, error) {
	return ctx, time.Time{}, nil
}
