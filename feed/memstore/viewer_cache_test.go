package memstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

func TestViewerCache_KeepsContract(t *testing.T) {
	feedtest.SharedViewerCache(t, func(_ *testing.T, cap int) feedtest.CachingInboxStore { return memstore.NewInboxes(cap) })
}
