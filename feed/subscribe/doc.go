// Package subscribe tells viewers of posts that have just entered their home feeds. It hears of
// them from a [feed.Listener], finds the followers among the subscribers of this process, and
// judges each post again when it is delivered.
package subscribe
