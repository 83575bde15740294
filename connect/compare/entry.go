package compare

import (
	"context"
	"fmt"
	"hash/maphash"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/records/apply"
)

// entry is an object on one side.
type entry struct {
	record feed.Record
	// object is zero if even that is unknown.
	object feed.Object
	there  bool
	// bad says why the record cannot be applied; empty if it can.
	bad, from string
}

// line returns the state of an object that is there. Equal states have equal lines.
func (e *entry) line() []byte {
	r := compared(e.record)
	line, err := records.Format{}.Encode(context.Background(), r) // without external ids, it reads nothing
	if err != nil {
		line = fmt.Append(nil, err) // texts that JSON cannot have, which no record has
	}
	return append(line, externalOf(&r)...)
}

// compared returns a record without what its source does not say, what only rises, and what a comment or
// repost may have from its parent.
func compared(r feed.Record) feed.Record {
	r.Moderated = feed.Moderated{} // moderators decide whatever the source says
	if r.User != nil {
		u := feed.UserRecord{User: r.User.User}
		u.Flag = feed.FlagNone
		r.User = &u
	}
	if r.Follow != nil {
		f := *r.Follow
		f.Options.Named = f.Options.On // an option that is not named is as good as one that is not chosen
		r.Follow = &f
	}
	if r.Post != nil {
		p := *r.Post
		if p.AudienceAuthor = 0; p.Parent() != 0 {
			p.Audience = feed.AudienceOfParent
		}
		for _, f := range feed.InheritedFields() {
			if p.IsBareRepost() {
				f.Set(&p, &feed.Post{})
			}
		}
		r.Post = &p
	}
	return r
}

// externalOf returns the external id that is stored with an object; empty if there is none.
func externalOf(r *feed.Record) feed.ExternalID {
	switch {
	case r.User != nil:
		return r.User.External
	case r.Post != nil:
		return r.Post.External
	case r.Live != nil:
		return r.Live.External
	case r.List != nil:
		return r.List.External
	}
	return ""
}

// isThere reports whether a record says that its object is there.
func isThere(r *feed.Record, now int64) bool {
	switch {
	case r.Unclear != "":
		return false
	case r.Relation != nil && r.Relation.Lapsed(now):
		return false
	case r.User != nil:
		return max(r.User.DeletedAt, r.User.ErasedAt) == 0 && !r.User.Absent
	case r.Post != nil:
		return r.Post.DeletedAt == 0
	}
	return r.EndedAt == 0
}

// usersOf returns the users that a record needs.
func usersOf(r *feed.Record) []feed.UserID {
	switch {
	case r.User != nil:
		return []feed.UserID{r.User.ID}
	case r.Post != nil:
		return []feed.UserID{r.Post.Author}
	case r.Follow != nil:
		return []feed.UserID{r.Follow.Follower, r.Follow.Followee}
	case r.Relation != nil:
		return []feed.UserID{r.Relation.User, r.Relation.Target}
	case r.Reaction != nil:
		return []feed.UserID{r.Reaction.User}
	case r.Live != nil:
		return []feed.UserID{r.Live.Host}
	case r.List != nil:
		return []feed.UserID{r.List.Owner}
	case r.ListMember != nil:
		return []feed.UserID{r.ListMember.User}
	case r.Counters != nil:
		return []feed.UserID{r.Counters.User}
	}
	return nil
}

// batch collects records of the source, and gives their ids numbers.
type batch struct {
	*Comparison
	each func(*entry)
	list []entry
}

func (b *batch) add(ctx context.Context, m *Made) error {
	if b.list = append(b.list, b.decode(m)); len(b.list) < batchSize {
		return nil
	}
	return b.flush(ctx)
}

func (b *batch) flush(ctx context.Context) error {
	if err := b.number(ctx, b.list); err != nil {
		return err
	}
	for i := range b.list {
		b.list[i].object = b.list[i].record.Object()
		b.each(&b.list[i])
	}
	b.progress(len(b.list))
	b.list = nil
	return ctx.Err()
}

func (c *Comparison) decode(m *Made) entry {
	e := entry{from: m.From, bad: m.Bad}
	if e.bad == "" {
		record, err := c.format().Decode(m.Text)
		if err == nil {
			e.record, e.there = record, isThere(&record, c.now)
			return e
		}
		e.bad = err.Error()
		m.Key = records.KeyOf(m.Text)
	}
	e.record = c.decodeKey(m.Key)
	return e
}

// decodeKey returns a record with nothing but a key; empty if it has none.
func (c *Comparison) decodeKey(key []byte) feed.Record {
	record, err := c.format().Decode(fmt.Appendf(nil, `{%s,"deletedAt":"2000-01-01T00:00:00Z"}`, key))
	if err != nil {
		return feed.Record{}
	}
	return record
}

// number gives the ids in records their numbers. An id without one gets a negative number, which
// is the same for both passes.
func (c *Comparison) number(ctx context.Context, list []entry) error {
	refs := map[feed.IDKind][]feed.IDRef{}
	for i := range list {
		for _, ref := range list[i].record.IDs {
			refs[ref.Kind] = append(refs[ref.Kind], ref)
		}
	}
	for kind, of := range refs {
		ids := make([]feed.ExternalID, len(of))
		for i, ref := range of {
			ids[i] = ref.ID
		}
		numbers, err := c.Stored.FindIDs(ctx, kind, ids)
		if err != nil {
			return err
		}
		for i, ref := range of {
			if *ref.At = numbers[i]; numbers[i] == 0 {
				*ref.At = -1 - int64(maphash.String(c.seed, string(ref.ID))>>1)
			}
		}
	}
	return nil
}

// remember keeps the external ids of an entry that is held.
func (n *names) remember(e *entry) {
	for _, ref := range e.record.IDs {
		if *ref.At >= 0 {
			continue
		}
		if n.unknown[ref.Kind] == nil {
			n.unknown[ref.Kind] = map[int64]feed.ExternalID{}
		}
		n.unknown[ref.Kind][*ref.At] = ref.ID
	}
}

// fault returns what is wrong with the record of an entry in itself; empty if nothing is.
func (c *Comparison) fault(e *entry) string {
	if e.bad != "" || !e.there || e.record.Partial != nil {
		return e.bad
	}
	// Numbers that only stand for ids break rules.
	numbers := make([]int64, len(e.record.IDs))
	for i, ref := range e.record.IDs {
		if numbers[i] = *ref.At; numbers[i] < 0 {
			*ref.At = -numbers[i]
		}
	}
	defer func() {
		for i, ref := range e.record.IDs {
			*ref.At = numbers[i]
		}
	}()
	owned := feed.Batch{Records: []feed.Record{e.record}, Owned: append(feed.OwnedTypes(), feed.RecordCounters), Ordered: true}
	if _, done := apply.Check(&owned, c.now).Fold(&apply.Objects{}); len(done.Bad) > 0 {
		return done.Bad[0].Reason
	}
	return ""
}
