// Package subscribe sends viewers the changes of their home and live feeds as they happen (docs/adr/0046).
//
// The follower of the change log passes each row to [Subscriptions] once. It finds the subscribers
// whose feeds the row can change, and queues the row for them. A subscription judges its rows when
// it delivers them. One that has no queue, because it begins at an old token or is slow, reads the
// log itself until it has caught up.
package subscribe
