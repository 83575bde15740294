package gateway

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
)

// Doubt is why the client of a request cannot be told from others behind a proxy. Each is
// something that an operator should change.
type Doubt string

// The doubts there are.
const (
	// UntrustedProxy: a peer that is not trusted sends headers of proxies. Either it is a
	// proxy that TIDELINE_TRUSTED_PROXIES does not name, or a client that invents them.
	UntrustedProxy Doubt = "untrusted_proxy"
	// SilentProxy: a trusted proxy does not say for which client it asks.
	SilentProxy Doubt = "silent_proxy"
	// AmbiguousProxy: a trusted proxy sends X-Forwarded-For and Forwarded, and they name
	// different clients. It sets one of them, and passes on what the client wrote into the
	// other.
	AmbiguousProxy Doubt = "ambiguous_proxy"
)

// Settle reports whether a doubt about the peer does not arise with these proxies, or no
// more: an untrusted one is trusted by now, or one that was trusted is not.
func (p Proxies) Settle(d Doubt, peer netip.Addr) bool { return p.trust(peer) == (d == UntrustedProxy) }

// Client is what is known of the sender of a request besides its identity.
type Client struct {
	// Address is the key by which requests of one client are counted together; never empty.
	Address string
	// Shared says that many clients may have this key: those of this machine, among them
	// all that come through a proxy on it without a sign of that, and those of a proxy that
	// does not tell them apart.
	Shared bool
	// Local says that nothing speaks against the client being one of this machine that knows
	// it. That proves nothing: a proxy here that adds nothing looks the same.
	Local bool
	// HTTPS says that the client is known to use https: this server ends TLS, or a trusted
	// proxy says that it does.
	HTTPS bool
	// Doubt is why Shared is so, if an operator should change that.
	Doubt Doubt
	// Peer is the address of the connection's other end; the zero address if it has none.
	Peer netip.Addr
}

// ClientFrom returns the client that [Locate] found; of a request that it has not seen the
// zero client, whose key is empty.
func ClientFrom(ctx context.Context) Client {
	if n := notesFrom(ctx); n != nil {
		return n.client
	}
	return Client{}
}

// Locate finds out which client sends each request, for [ClientFrom].
func Locate(trusted Proxies, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, n := withNotes(r)
		n.client = trusted.locate(r)
		next.ServeHTTP(w, r)
	})
}

// locate returns the client of a request. It is the other end of the connection or, while
// that is a trusted proxy, the one that the proxy names, and so on: the list of clients is
// read from its end, where proxies add to it, because anybody can write what is further in
// front.
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

// doubted returns the client as one that cannot be told from others.
func (c Client) doubted(d Doubt) Client {
	c.Shared, c.Doubt = true, d
	return c
}

// hopsMax is how many proxies a request may have come through. A list may be long, because
// the client writes the beginning of it.
const hopsMax = 20

// follow goes back from the peer over the hops, which are in the order of the proxies, the
// client first. It returns the last address that a trusted one vouches for, and whether
// that is further than the peer.
func (p Proxies) follow(peer netip.Addr, hops []string) (client netip.Addr, named bool) {
	client = peer
	for range hopsMax {
		if len(hops) == 0 || !p.trust(client) {
			break
		}
		before, ok := parseHop(hops[len(hops)-1])
		// A loopback address of another machine is none by which clients can be told apart here.
		if !ok || before.IsLoopback() && !client.IsLoopback() {
			break
		}
		client, hops, named = before, hops[:len(hops)-1], true
	}
	return client, named
}

// peerOf returns the address of the connection's other end; the zero address if it has none.
func peerOf(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return peer.Addr().Unmap().WithZone("")
}

// parseHop reads one address of a list, to which some proxies add a port.
func parseHop(text string) (netip.Addr, bool) {
	text = strings.TrimSpace(text)
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	return addr.Unmap().WithZone(""), err == nil
}
