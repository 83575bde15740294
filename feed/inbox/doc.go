// Package inbox makes inboxes and keeps them complete: builds, reconciliations and warm-ups, the
// removal of those that nobody reads, and the heartbeats that find a server which has lost some.
package inbox
