package memstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

func TestInboxes_KeepContract(t *testing.T) {
	feedtest.Inboxes(t, func(_ *testing.T, cap int) feedtest.InboxStore {
		return memstore.NewInboxes(cap)
	})
}
