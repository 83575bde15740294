// Package doctor compares what viewers are shown, and what their inboxes hold, with the source of
// truth. It changes nothing.
package doctor
