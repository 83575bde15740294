//go:build !nightly

package mirror

const allChanges = false
