// Package fairshare divides what all clients share, such as slots, streams and memory, among holders.
//
// A holder is a user, a service, or else the address of a client. [Pool] counts an IPv6 network also
// as part of the two wider networks that one customer of a provider may have. No holder can have more
// than its share, and when a pool is full, the largest holder loses what it has had for longest.
package fairshare

import "net/netip"

// perAddress leaves an office 64 of the 256 default slots; four addresses can exclude all others
// from what cannot be taken away.
const perAddress = 4

// OfAddress returns the share of one address in total, rounded down, and at least 1.
func OfAddress(total int) int { return max(1, total/perAddress) }

// network is a group of IPv6 addresses: a holder, or a wider network that contains it.
type network struct {
	key string
	// halves is the limit in halves of a share.
	halves int
}

// wider returns the networks around a holder, the widest first; nil for a holder that is no IPv6 /64.
// Providers give a customer a /64, a /56 or a /48. A wider network may also be that of many
// customers, so it has more than one share, but far fewer than it has addresses.
func wider(holder string) []network {
	prefix, err := netip.ParsePrefix(holder)
	if err != nil || prefix.Bits() != 64 {
		return nil
	}
	of := func(bits int) string {
		outer, _ := prefix.Addr().Prefix(bits) // an IPv6 address has so many bits
		return outer.String()
	}
	return []network{{of(48), 4}, {of(56), 3}}
}
