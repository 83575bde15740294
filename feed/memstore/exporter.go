package memstore

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/tideline-feeds/tideline/feed"
)

// Export implements [feed.Exporter].
func (s *Store) Export(ctx context.Context, emit func(feed.Record) error) error {
	records, err := s.records(ctx)
	if err != nil {
		return err
	}
	for _, r := range records {
		if err := emit(r); err != nil {
			return err
		}
	}
	return nil
}

// records returns all records as of one time. Export emits them afterwards, because emit may use
// the store.
func (s *Store) records(ctx context.Context) ([]feed.Record, error) {
	return inTx(ctx, s, func() []feed.Record {
		return slices.Concat(s.userRecords(), s.followRecords(), s.postRecords(), s.reactionRecords(), s.relationRecords(), s.liveRecords(), s.counterRecords())
	})
}

func (s *Store) userRecords() []feed.Record {
	var out []feed.Record
	for id, user := range s.users {
		u := feed.UserRecord{User: *user, LastSeenAt: s.lastSeen[id], Absent: s.absent[id], AwaitedAt: s.sources.awaited[id]}
		u.Flag = feed.FlagNone
		out = append(out, feed.Record{User: &u})
	}
	for id, t := range s.deleted {
		out = append(out, feed.Record{User: &feed.UserRecord{User: feed.User{ID: id, CreatedAt: t.createdAt}, DeletedAt: t.deletedAt}})
	}
	slices.SortFunc(out, func(a, b feed.Record) int { return cmp.Compare(a.User.ID, b.User.ID) })
	return out
}

func (s *Store) followRecords() []feed.Record {
	pairs := slices.SortedFunc(maps.Keys(s.follows), func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.follower, b.follower), cmp.Compare(a.followee, b.followee))
	})
	var out []feed.Record
	for _, p := range pairs {
		if p.follower != p.followee {
			f := feed.FollowRecord{Follower: p.follower, Followee: p.followee, CreatedAt: s.follows[p].at}
			out = append(out, feed.Record{Follow: &f})
		}
	}
	return out
}

func (s *Store) counterRecords() []feed.Record {
	var out []feed.Record
	for _, c := range s.sources.counters {
		out = append(out, feed.Record{Counters: &c})
	}
	slices.SortFunc(out, func(a, b feed.Record) int {
		return cmp.Or(cmp.Compare(a.Counters.Post, b.Counters.Post), cmp.Compare(a.Counters.User, b.Counters.User))
	})
	return out
}

// postRecords returns the posts in ascending order of ids, each after the post that it comments on
// or reposts.
func (s *Store) postRecords() []feed.Record {
	var out []feed.Record
	done := map[feed.PostID]bool{}
	var add func(id feed.PostID)
	add = func(id feed.PostID) {
		p := s.posts[id]
		if p == nil || done[id] {
			return
		}
		done[id] = true
		add(cmp.Or(p.ReplyTo, p.RepostOf))
		out = append(out, feed.PostRecord(clonePost(p)))
	}
	for _, id := range slices.Sorted(maps.Keys(s.posts)) {
		add(id)
	}
	return out
}

func (s *Store) reactionRecords() []feed.Record {
	reactions := slices.SortedFunc(maps.Keys(s.reactions), func(a, b reaction) int {
		return cmp.Or(cmp.Compare(a.post, b.post), cmp.Compare(a.kind, b.kind), cmp.Compare(a.user, b.user))
	})
	var out []feed.Record
	for _, r := range reactions {
		if p := s.posts[r.post]; p == nil || p.DeletedAt == 0 {
			rec := feed.ReactionRecord{Reaction: r.kind, User: r.user, Post: r.post, CreatedAt: s.reactions[r]}
			out = append(out, feed.Record{Reaction: &rec})
		}
	}
	return out
}

func (s *Store) relationRecords() []feed.Record {
	relations := slices.SortedFunc(maps.Keys(s.relations), func(a, b relation) int {
		return cmp.Or(cmp.Compare(a.user, b.user), cmp.Compare(a.kind, b.kind), cmp.Compare(a.target, b.target))
	})
	var out []feed.Record
	for _, r := range relations {
		if r.user != r.target {
			rec := feed.RelationRecord{Kind: r.kind, User: r.user, Target: r.target, CreatedAt: s.relations[r]}
			out = append(out, feed.Record{Relation: &rec})
		}
	}
	return out
}

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
