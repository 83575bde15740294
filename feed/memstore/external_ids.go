package memstore

import (
	"context"
	"strconv"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.IDMap = (*Store)(nil)

// externalIDs are the ids of one kind and their numbers.
type externalIDs struct {
	numbers map[feed.ExternalID]int64
	ids     map[int64]feed.ExternalID
	// last is the number that was drawn last.
	last int64
}

// externalIDsOf returns the ids of a kind.
func (s *Store) externalIDsOf(kind feed.IDKind) *externalIDs {
	if s.externalIDs[kind] == nil {
		s.externalIDs[kind] = &externalIDs{numbers: map[feed.ExternalID]int64{}, ids: map[int64]feed.ExternalID{}}
	}
	return s.externalIDs[kind]
}

// assign stores a pair. It reports false if the id or the number is taken.
func (e *externalIDs) assign(id feed.ExternalID, number int64) bool {
	if _, taken := e.ids[number]; taken || e.numbers[id] != 0 {
		return false
	}
	e.numbers[id], e.ids[number] = number, id
	return true
}

// UseIDs implements [feed.IDMap].
func (s *Store) UseIDs(ctx context.Context, mode feed.IDMode) (feed.IDMode, error) {
	if err := s.begin(ctx); err != nil {
		return "", err
	}
	defer s.mu.Unlock()
	if s.idMode == "" {
		s.idMode = feed.NumberIDs
		if used := len(s.users)+len(s.deleted)+len(s.posts)+len(s.sessions) > 0; mode == feed.TextIDs && !used {
			s.idMode = feed.TextIDs
		}
	}
	if mode != "" && mode != s.idMode {
		return s.idMode, feed.IDModeDiffers(s.idMode, mode)
	}
	return s.idMode, nil
}

// DrawIDs implements [feed.IDMap].
func (s *Store) DrawIDs(ctx context.Context, kind feed.IDKind, ids []feed.NumberedID) ([]int64, error) {
	wanted := map[feed.ExternalID]int64{}
	for _, id := range ids {
		if err := id.ID.Check(); err != nil {
			return nil, err
		}
		wanted[id.ID] = max(wanted[id.ID], id.Number)
	}
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	e := s.externalIDsOf(kind)
	numbers := make([]int64, len(ids))
	for i, id := range ids {
		for n := wanted[id.ID]; e.numbers[id.ID] == 0; {
			if n == 0 {
				e.last++
				e.assign(id.ID, e.last)
			} else if !e.assign(id.ID, n) {
				break
			}
		}
		numbers[i] = e.numbers[id.ID]
	}
	return numbers, nil
}

// FindIDs implements [feed.IDMap].
func (s *Store) FindIDs(ctx context.Context, kind feed.IDKind, ids []feed.ExternalID) ([]int64, error) {
	return readEach(ctx, s, ids, func(id feed.ExternalID) int64 { return s.externalIDsOf(kind).numbers[id] })
}

// ExternalIDs implements [feed.IDMap].
func (s *Store) ExternalIDs(ctx context.Context, kind feed.IDKind, numbers []int64) ([]feed.ExternalID, error) {
	return readEach(ctx, s, numbers, func(n int64) feed.ExternalID { return s.externalIDsOf(kind).ids[n] })
}

// nameOwn sets and assigns the external id of an object that Tideline makes, where ids are text. It
// reports false if the id or the number is taken.
func (s *Store) nameOwn(kind feed.IDKind, id *feed.ExternalID, number int64) bool {
	if s.idMode != feed.TextIDs || *id != "" {
		return true
	}
	*id = feed.ExternalID(strconv.FormatInt(number, 10))
	return s.externalIDsOf(kind).assign(*id, number)
}
