package gateway

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// hopsMax is how many proxies a request may have come through. What a client writes into
// the header before them may be long.
const hopsMax = 20

// Proxies are the addresses of proxies that are believed when they say for whom they
// ask. Make them with [ParseProxies].
type Proxies []netip.Prefix

// ParseProxies reads a list of addresses and networks with commas between, such as
// 10.0.0.0/8,192.0.2.7. An empty list trusts nobody.
func ParseProxies(list string) (Proxies, error) {
	var trusted Proxies
	for text := range strings.SplitSeq(list, ",") {
		text = strings.TrimSpace(text)
		if text == "" {
			continue
		}
		network, err := netip.ParsePrefix(text)
		if err != nil {
			addr, err := netip.ParseAddr(text)
			if err != nil {
				return nil, fmt.Errorf("%.60q is no address and no network", text)
			}
			addr = addr.Unmap()
			network = netip.PrefixFrom(addr, addr.BitLen())
		}
		trusted = append(trusted, network.Masked())
	}
	return trusted, nil
}

// ClientAddress returns where a request comes from: the address of the connection's other
// end, or, while that is a trusted proxy's, the one before it by X-Forwarded-For, read
// from its end, where proxies add to it. What stands further in front anybody can write.
// It is the zero address when the connection has none.
func (p Proxies) ClientAddress(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	client := peer.Addr().Unmap().WithZone("")
	forwarded := r.Header.Values("X-Forwarded-For")
	if len(forwarded) == 0 {
		return client
	}
	hops := strings.Split(strings.Join(forwarded, ","), ",")
	for range hopsMax {
		if len(hops) == 0 || !p.trust(client) {
			break
		}
		before, ok := parseHop(hops[len(hops)-1])
		// Whoever comes from another machine does not come from that machine itself, though he
		// may be in a network that is trusted, and say so.
		if !ok || before.IsLoopback() && !client.IsLoopback() {
			break
		}
		client, hops = before, hops[:len(hops)-1]
	}
	return client
}

func (p Proxies) trust(addr netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(addr) })
}

// parseHop reads one address of X-Forwarded-For, to which some proxies add a port.
func parseHop(text string) (netip.Addr, bool) {
	text = strings.TrimSpace(text)
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	addr, err := netip.ParseAddr(text)
	return addr.Unmap().WithZone(""), err == nil
}

// addressNetwork is how many bits of an IPv6 address count: what follows, a client
// chooses by himself, and whoever has one such address has 2^64.
const addressNetwork = 64

// AddressKey returns the text by which requests from one client are counted together: an
// IPv4 address, or the /64 of an IPv6 address. It is empty for the zero address and for
// this machine itself: whoever asks from here is the operator, or came through a proxy
// that does not say for whom it asks.
func AddressKey(addr netip.Addr) string {
	switch {
	case !addr.IsValid(), addr.IsLoopback():
		return ""
	case addr.Is4():
		return addr.String()
	}
	network, err := addr.Prefix(addressNetwork)
	if err != nil {
		return ""
	}
	return network.String()
}
