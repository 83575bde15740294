// Package fairshare says how much of what the clients of a process share one address may
// hold: slots for operations, and bytes that wait to be received.
package fairshare

// perAddress is how many times the share of one address fits into the whole. One address that
// holds all it may leaves three quarters to the others, and it takes four that work together
// to keep all others out. An office behind one address still has 64 of 256 slots by default.
const perAddress = 4

// OfAddress returns the share of one address in total, rounded down, and at least 1.
func OfAddress(total int) int { return max(1, total/perAddress) }
