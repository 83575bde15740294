package sqlstore_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

func TestStoreKeepsThePromisesOfThePorts(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		feedtest.Source(t, func(t *testing.T) feedtest.Stores { return feedtest.StoresOf(b.open(t)) })
	})
}

// modelCases are as many random cases as either database plays in some twenty seconds
// under the race detector.
const modelCases = 25

func TestStoreDoesWhatTheModelDoes(t *testing.T) {
	onBothInTurn(t, func(t *testing.T, b backend) {
		feedtest.SameAsModel(t, modelCases,
			func(t *testing.T) feedtest.Stores { return feedtest.StoresOf(b.open(t)) },
			func(*testing.T) feedtest.Stores { return feedtest.StoresOf(memstore.New(time.Now)) })
	})
}
