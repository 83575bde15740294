package memstore_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

// open returns the ports of an empty store.
func open(*testing.T) feedtest.Stores { return feedtest.StoresOf(memstore.New(time.Now)) }

func TestStore_KeepsContract(t *testing.T) { feedtest.Source(t, open) }

func TestStore_IsItsOwnModel(t *testing.T) { feedtest.SameAsModel(t, 100, open, open) }
