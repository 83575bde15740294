//go:build !nightly

package mirror

// applications are those that every run tests.
func applications() []application { return []application{mastodon()} }
