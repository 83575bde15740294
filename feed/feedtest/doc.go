// Package feedtest holds the promises of package feed's ports as test suites: one
// suite for every port, and every backend runs them all. A new backend's test file
// is a function that opens its stores and one call each: for a source of truth of
// [Source] and [SameAsModel], for a store of inboxes of [Inboxes], and for either,
// paired with stores in memory, of [Scenarios] and [HomeModel].
//
// The suites know a backend only through the ports. They leave to the implementer
// what the ports' comments leave open, and they never wait for time to pass: every
// time is an argument, and a lease that is over is one renewed for less than nothing.
package feedtest
