package gateway

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
)

// Doubt is why Tideline cannot tell clients behind a proxy apart. Operators should fix the cause.
type Doubt string

const (
	// UntrustedProxy means that an untrusted peer sends proxy headers. TIDELINE_TRUSTED_PROXIES does
	// not name this proxy, or a client forges them.
	UntrustedProxy Doubt = "untrusted_proxy"
	// SilentProxy means that a trusted proxy does not name its client.
	SilentProxy Doubt = "silent_proxy"
	// AmbiguousProxy means that X-Forwarded-For and Forwarded of a trusted proxy name different
	// clients. It sets only one of them, and passes on the client's value of the other.
	AmbiguousProxy Doubt = "ambiguous_proxy"
)

// Settle reports whether these proxies rule out a doubt about a peer, which they trust or no longer
// do.
func (p Proxies) Settle(d Doubt, peer netip.Addr) bool { return p.trust(peer) == (d == UntrustedProxy) }

// Client describes the sender of a request, apart from its identity.
type Client struct {
	// Address is the key for limits per client; never empty.
	Address string
	// Shared reports that several clients can have the same Address.
	Shared bool
	// Local reports that the client seems to run on this machine ([looksLocal]).
	Local bool
	// HTTPS reports that this server terminates TLS, or that a trusted proxy says so.
	HTTPS bool
	// Doubt is the reason for Shared, if an operator should fix it.
	Doubt Doubt
	// Peer is the remote address of the connection; the zero address if it has none.
	Peer netip.Addr
}

// ClientFrom returns the client that [Locate] found, or the zero client.
func ClientFrom(ctx context.Context) Client {
	if n := infoFrom(ctx); n != nil {
		return n.client
	}
	return Client{}
}

// Locate determines the client of each request, for [ClientFrom].
func Locate(trusted Proxies, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, n := withInfo(r)
		n.client = trusted.locate(r)
		next.ServeHTTP(w, r)
	})
}

// locate returns the peer or, if that is a trusted proxy, the client that the proxy names, and so
// on. It reads the hops backwards: proxies append to them, and clients can forge what precedes.
func (p Proxies) locate(r *http.Request) Client {
	peer := peerOf(r)
	c := Client{Address: addressKey(peer), HTTPS: r.TLS != nil, Peer: peer, Local: looksLocal(r), Shared: !peer.IsValid() || peer.IsLoopback()}
	if !p.trust(peer) {
		if hasProxyHeader(r.Header) {
			return c.doubted(UntrustedProxy)
		}
		return c
	}
	c.HTTPS = c.HTTPS || forwardedHTTPS(r.Header)
	x, standard := forwardedFor(r.Header), forwardedStandard(r.Header)
	client, named := p.follow(peer, x)
	if other, too := p.follow(peer, standard); len(standard) > 0 && len(x) > 0 && (too != named || other != client) {
		return c.doubted(AmbiguousProxy)
	} else if len(x) == 0 {
		client, named = other, too
	}
	if !named {
		return c.doubted(SilentProxy)
	}
	c.Address, c.Shared = addressKey(client), client.IsLoopback()
	return c
}

func (c Client) doubted(d Doubt) Client {
	c.Shared, c.Doubt = true, d
	return c
}

// Clients can forge long lists.
const hopsMax = 20

// follow walks backwards over the hops, which begin with the client. It returns the last address
// that a trusted proxy vouches for, and whether that is not the peer itself.
func (p Proxies) follow(peer netip.Addr, hops []string) (client netip.Addr, named bool) {
	client = peer
	for range hopsMax {
		if len(hops) == 0 || !p.trust(client) {
			break
		}
		before, ok := parseHop(hops[len(hops)-1])
		// A loopback address of another machine does not identify a client.
		if !ok || before.IsLoopback() && !client.IsLoopback() {
			break
		}
		client, hops, named = before, hops[:len(hops)-1], true
	}
	return client, named
}

func peerOf(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return peer.Addr().Unmap().WithZone("")
}

func parseHop(text string) (netip.Addr, bool) {
	text = strings.TrimSpace(text)
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	return addr.Unmap().WithZone(""), err == nil
}
