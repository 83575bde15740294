// Package fairshare limits how much of a shared resource, such as slots for operations, the
// clients of one address may hold.
package fairshare

// perAddress is how many shares the whole has. A single address leaves three quarters to others,
// and it takes four to exclude them. An office behind one address still gets 64 of the 256
// default slots.
const perAddress = 4

// OfAddress returns the share of one address in total, rounded down, and at least 1.
func OfAddress(total int) int { return max(1, total/perAddress) }
