// Package inbox builds inboxes and keeps them complete: it builds, reconciles and warms them up,
// finds out when a server has lost inboxes, and trims those that exist.
package inbox
