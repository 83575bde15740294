package memstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

// open returns the ports of an empty store.
func open(*testing.T) feedtest.Stores {
	s := memstore.New()
	return feedtest.Stores{
		Posts:     s,
		Users:     s,
		Outboxes:  s,
		Reference: s,
		Relations: s,
		Follows:   s,
		Contents:  s,
		Counters:  s,
		Audience:  s,
		Plans:     s,
		Importer:  s,
		Exporter:  s,
		Relater:   s,
		Profiles:  s,
	}
}

func TestStoreKeepsThePromisesOfThePorts(t *testing.T) { feedtest.Source(t, open) }

func TestStoreIsItsOwnModel(t *testing.T) { feedtest.SameAsModel(t, open, open) }
