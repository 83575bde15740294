package gateway

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the addresses of proxies that are believed when they say for which client
// they ask. Make them with [ParseProxies]. The zero value trusts none.
type Proxies []netip.Prefix

// ParseProxies reads a list of addresses and networks with commas between, such as
// 10.0.0.0/8,192.0.2.7. An empty list trusts no proxy.
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

func (p Proxies) trust(addr netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(addr) })
}

// addressNetwork is how many bits of an IPv6 address count: a client chooses the rest, and
// one that has an address has 2^64 of them.
const addressNetwork = 64

// The keys of clients that have no address of their own to be told apart by.
const (
	// keyLoopback is the key of all addresses of this machine: a proxy on it may use any.
	keyLoopback = "loopback"
	// keyUnknown is the key of connections without an address, such as those of a Unix socket.
	keyUnknown = "unknown"
)

// addressKey returns the text by which requests from one address are counted together: an
// IPv4 address, or the /64 of an IPv6 address. It is never empty.
func addressKey(addr netip.Addr) string {
	switch {
	case !addr.IsValid():
		return keyUnknown
	case addr.IsLoopback():
		return keyLoopback
	case addr.Is4():
		return addr.String()
	}
	// Prefix fails for addresses of fewer bits only.
	network, _ := addr.Prefix(addressNetwork)
	return network.String()
}
