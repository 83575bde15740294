package memstore

import (
	"context"
	"strconv"

	"github.com/tideline-feeds/tideline/feed"
)

// ChangeLog is the change log of a [Store]. It stores the results of its last polls, and a poll
// returns the differences. Use [NewChangeLog].
type ChangeLog struct {
	store *Store
	// n is the number of polls so far. found has the results of the last polls by position.
	n     int
	found map[string]numbers
}

var _ feed.ChangeLog = (*ChangeLog)(nil)

// storedPolls is the number of stored polls: those that pollers continue from, and a few more.
const storedPolls = 8

// NewChangeLog returns the log of a store.
func NewChangeLog(s *Store) *ChangeLog { return &ChangeLog{store: s, found: map[string]numbers{}} }

// numbers has, for every user, what a poll compares.
type numbers map[feed.UserID]number

type number struct {
	version, own int64
	deleted      bool
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
		Generation: s.generation, Flags: s.flags, Now: s.now(), Transitions: s.number,
	}}
	if whole {
		for user, n := range now {
			if before[user] != n {
				poll.Changed = append(poll.Changed, user)
			}
		}
	}
	l.found[poll.Position] = now
	delete(l.found, strconv.Itoa(l.n-storedPolls))
	l.n++
	return poll, nil
}

// numbers returns the current numbers. The caller holds the mutex.
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
	for user := range s.deleted {
		n := now[user]
		n.deleted = true
		now[user] = n
	}
	return now
}
