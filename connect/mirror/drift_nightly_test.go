//go:build nightly

package mirror

// allChanges has each change of tables tested with each publication. Otherwise, each is with one of them.
const allChanges = true
