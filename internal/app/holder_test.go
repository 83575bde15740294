package app

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers"
)

// Strangers never count for a user, nor a user for their address.
func TestHolder_IsUserServiceOrAddress(t *testing.T) {
	const address = "192.0.2.1"
	for _, c := range []struct {
		viewer             feed.UserID
		service            string
		shared             bool
		holder, connection string
	}{
		{0, "", false, address, address},
		{0, "", true, address, ""},
		{7, "", false, "user:7", "user:7"},
		{7, "", true, "user:7", "user:7"},
		{0, "content", true, "service:content", "service:content"},
		{7, "content", false, "service:content", "service:content"},
	} {
		ctx := resolvers.WithOrigin(context.Background(), resolvers.Origin{Address: address, Shared: c.shared})
		ctx = resolvers.WithService(ctx, c.service, c.viewer)
		if holder, connection := holderKey(ctx), connectionKey(ctx); holder != c.holder || connection != c.connection {
			t.Errorf("viewer %d by %q, shared %t: %q and %q, want %q and %q", c.viewer, c.service, c.shared, holder, connection, c.holder, c.connection)
		}
	}
}
