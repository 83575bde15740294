package memstore

import (
	"context"
	"strconv"

	"github.com/tideline-feeds/tideline/feed"
)

// ChangeLog tells which viewer versions have changed, of a [Store]. It remembers what its last polls
// found. Use [NewChangeLog].
type ChangeLog struct {
	store *Store
	// n is how many polls there were, and found what the last of them found, by position.
	n     int
	found map[string]numbers
}

var _ feed.ChangeLog = (*ChangeLog)(nil)

// pollsKept is how many polls are remembered: those that pollers continue from, and a few.
const pollsKept = 8

// NewChangeLog returns the log of a store.
func NewChangeLog(s *Store) *ChangeLog { return &ChangeLog{store: s, found: map[string]numbers{}} }

// numbers are the versions of the anonymous viewer.
type numbers map[feed.UserID]number

type number struct {
	version, own int64
	gone         bool
}

// Poll implements [feed.ChangeLog].
func (l *ChangeLog) Poll(ctx context.Context, since string) (feed.Poll, error) {
	s := l.store
	if err := s.begin(ctx); err != nil {
		return feed.Poll{}, err
	}
	defer s.mu.Unlock()
	now := s.numbers()
	before, whole := l.found[since]
	poll := feed.Poll{Position: strconv.Itoa(l.n), Whole: whole, CommonVersion: feed.CommonVersion{
		Generation: s.generation, Flags: s.marks, Now: s.now(), Transitions: s.number,
	}}
	if whole {
		for user, n := range now {
			if before[user] != n {
				poll.Changed = append(poll.Changed, user)
			}
		}
	}
	l.found[poll.Position] = now
	delete(l.found, strconv.Itoa(l.n-pollsKept))
	l.n++
	return poll, nil
}

// numbers returns the versions of the anonymous viewer. The mutex is held.
func (s *Store) numbers() numbers {
	now := numbers{}
	for user, version := range s.versions {
		now[user] = number{version: version}
	}
	for user, own := range s.changes {
		n := now[user]
		n.own = own
		now[user] = n
	}
	for user := range s.gone {
		n := now[user]
		n.gone = true
		now[user] = n
	}
	return now
}
