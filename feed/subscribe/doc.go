// Package subscribe sends viewers the posts that enter their home feeds. It receives
// announcements from a [feed.Listener], finds the followers among the subscribers of this
// process, and judges each post when it delivers it.
package subscribe
