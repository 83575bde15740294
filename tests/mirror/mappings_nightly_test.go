//go:build nightly

package mirror

// applications are all.
func applications() []application {
	return []application{mastodon(), misskey(), lemmy(), plainRails(), django(), pixelfed(), gotosocial(), forem()}
}
