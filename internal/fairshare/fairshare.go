// Package fairshare limits how much of a shared resource the clients of one address may hold.
package fairshare

// perAddress leaves an office 64 of the 256 default slots; four addresses can exclude all others.
const perAddress = 4

// OfAddress returns the share of one address in total, rounded down, and at least 1.
func OfAddress(total int) int { return max(1, total/perAddress) }
