package positions_test

import (
	"context"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/positions"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

// sources is a waiter whose waits take no time.
type sources struct {
	*positions.Waiter
	store  *sqlstore.Store
	t      *testing.T
	waited time.Duration
	// during runs in each wait.
	during func()
	// waits is the number of reads that wait, and evict ends the last one.
	waits int
	evict func()
}

func newSources(t *testing.T) *sources {
	s := &sources{t: t, store: sqlitetest.New(t, time.Now), during: func() {}}
	s.Waiter = &positions.Waiter{Commits: s.store, Sources: s.store, Waits: s.take, Wait: func(ctx context.Context, d time.Duration) error {
		s.waited += d
		s.during()
		return ctx.Err()
	}}
	return s
}

// take takes the only place.
func (s *sources) take(_ context.Context, evict func()) (release func(), ok bool) {
	if s.waits == 1 {
		return nil, false
	}
	s.waits, s.evict = 1, evict
	return func() { s.waits = 0 }, true
}

// moves moves the position of a partition of a source.
func (s *sources) moves(source, partition, from, to string) {
	s.t.Helper()
	move := feed.PositionMove{Partition: partition, Identity: "x", From: from, To: to}
	fixture.Got(s.store.Ingest(s.t.Context(), feed.SourceBatch{Source: source, Move: move})).Must(s.t)
}

func (s *sources) reach(text string) error {
	s.t.Helper()
	return s.Reach(s.t.Context(), fixture.Got(feed.ParseAtLeast(text)).Must(s.t))
}

func TestReach_ComparesPositions(t *testing.T) {
	s := newSources(t)
	s.moves("orders", "topic/3", "", "99")
	s.moves("orders", "0", "", "7")
	s.moves("clicks", "", "", "1700000000000-9")
	token := fixture.Got(s.store.LastCommit(t.Context())).Must(t)
	for _, text := range []string{
		"orders/topic/3:99", "orders/topic/3:0", "clicks/:1700000000000-9", "clicks/:1699999999999-10",
		token.String(), token.String() + ", orders/0:7",
	} {
		if err := s.reach(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	fixture.Is(t, "how long reads of positions that are reached waited", s.waited, 0)
	for _, text := range []string{
		"orders/topic/3:100", "orders/1:0", "orders/0:7-1", "other/0:0", "clicks/:1700000000000-10", "orders/0:7,orders/0:8",
		feed.CommitPlace{Epoch: token.Epoch, Number: token.Number + 1}.String(), feed.CommitPlace{Epoch: token.Epoch + 1}.String(),
	} {
		s.waited = 0
		if err := s.reach(text); feed.CodeOf(err) != feed.CodeStale || s.waited != time.Second {
			t.Errorf("%s: %v after %v", text, err, s.waited)
		}
	}
}

func TestReach_ReturnsWhenReached(t *testing.T) {
	s := newSources(t)
	waits := 0
	s.during = func() {
		if waits++; waits == 3 {
			s.moves("orders", "0", "", "5")
		}
	}
	if err := s.reach("orders/0:5"); err != nil || s.waited != 70*time.Millisecond {
		t.Errorf("%v after %v", err, s.waited)
	}
}

func TestReach_BoundsWaitingReads(t *testing.T) {
	s := newSources(t)
	s.during = func() {
		s.during = func() { t.Error("a second read waits") }
		if err := s.reach("orders/0:6"); feed.CodeOf(err) != feed.CodeStale {
			t.Errorf("the second read: %v", err)
		}
		s.moves("orders", "0", "", "5")
	}
	if err := s.reach("orders/0:5"); err != nil {
		t.Errorf("the first read: %v", err)
	}
}

func TestReach_GivesItsPlaceToOthers(t *testing.T) {
	s := newSources(t)
	s.during = func() { s.evict() }
	if err := s.reach("orders/0:6"); feed.CodeOf(err) != feed.CodeStale || s.waited >= time.Second {
		t.Errorf("%v after %v", err, s.waited)
	}
	fixture.Is(t, "the reads that wait", s.waits, 0)
}

func TestReach_EndsWithTheContext(t *testing.T) {
	s := newSources(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.during = cancel
	err := s.Reach(ctx, feed.AtLeast{Sources: []feed.SourcePosition{{Source: "x", Position: "1"}}})
	fixture.Fails(t, err, context.Canceled)
}
