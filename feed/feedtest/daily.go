//go:build !nightly

package feedtest

// Nightly reports that tests have hours. [Schedules] plays all orders.
const Nightly = false
