package apply

import (
	"maps"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// List is a list of authors. One that its source has deleted has a time, and keeps its members until it returns.
type List struct {
	*feed.AuthorList
	DeletedAt int64
}

// ExclusiveTo is that of a list that is there; 0 for others.
func (l List) ExclusiveTo() feed.UserID {
	if l.AuthorList == nil || l.DeletedAt != 0 {
		return 0
	}
	return l.AuthorList.ExclusiveTo()
}

// ListChange is a list before and after a batch. Relisted says that exclusive members have changed.
type ListChange struct {
	Before, After List
	Relisted      bool
}

func memberKey(r *feed.ListMemberRecord) feed.ListMemberRecord {
	return feed.ListMemberRecord{List: r.List, User: r.User}
}

func (f *fold) addList(r *feed.AuthorList) feed.RecordResult {
	if !f.isUser(r.Owner) {
		return feed.ResultBad("%s", f.noUser(r.Owner))
	}
	return f.added(f.list(r))
}

// list returns what a record of a list that is there does, and how it differs from a stored one.
func (f *fold) list(r *feed.AuthorList) (s step, d feed.Difference) {
	have, stored := f.lists.get(r.ID)
	if stored {
		d = feed.DifferentList(have.AuthorList, r)
	}
	if have.DeletedAt != 0 {
		d.Fields = append(d.Fields, "deletedAt")
	}
	switch full := feed.MayList(f.listed[r.Owner]); {
	case stored && have.Owner != r.Owner:
		return bad("list %s is by user %s, not %s", f.listID(r.ID), f.userID(have.Owner), f.userID(r.Owner)), feed.Difference{}
	case stored && d.None():
		return known(), d
	case full != nil && (!stored || have.DeletedAt != 0):
		return bad("%s", feed.Reason(full)), d
	}
	is := feed.ResultNew()
	if stored {
		is = feed.ResultUpdated(d.Fields...)
	}
	return step{is, func() { f.setList(List{AuthorList: r}) }}, d
}

func (f *fold) setList(l List) {
	if have, stored := f.lists.get(l.ID); stored && have.DeletedAt == 0 {
		f.listed[l.Owner]--
	}
	if l.DeletedAt == 0 {
		f.listed[l.Owner]++
	}
	f.lists.set(l.ID, l)
}

// wholeList applies a record of a list that a source owns. The members of one that is gone are kept, since in
// another order of arrival they would come after its end.
func (f *fold) wholeList(r *feed.Record) step {
	have, stored := f.lists.get(r.List.ID)
	switch {
	case r.EndedAt != 0 && (!stored || have.DeletedAt != 0):
		return known()
	case r.EndedAt != 0:
		have.DeletedAt = r.EndedAt
		return step{feed.ResultUpdated("deletedAt"), func() { f.setList(have) }}
	case f.deleted(r.List.Owner):
		return bad("the account of user %s was deleted", f.userID(r.List.Owner))
	}
	s, _ := f.list(r.List)
	if set := s.set; set != nil {
		s.set = func() { f.expect(r.List.Owner); set() }
	}
	return s
}

func (f *fold) addMember(r *feed.Record) feed.RecordResult {
	m := r.ListMember
	switch list, stored := f.lists.get(m.List); {
	case !stored || list.DeletedAt != 0:
		return feed.ResultBad("no list %s", f.listID(m.List))
	case !f.isUser(m.User):
		return feed.ResultBad("%s", f.noUser(m.User))
	}
	return f.counting(r, func() step {
		return step{is: addEdge(&f.members, memberKey(m), feed.StoredEdge{CreatedAt: m.CreatedAt}, f.batch.Update)}
	}).is
}

func (f *fold) wholeMember(r *feed.Record) step {
	return f.counting(r, func() step {
		return wholeEdge(f, &f.members, memberKey(r.ListMember), r, feed.StoredEdge{CreatedAt: r.ListMember.CreatedAt}, r.ListMember.User)
	})
}

// counting counts the members of the list of a record.
func (f *fold) counting(r *feed.Record, do func() step) step {
	key := memberKey(r.ListMember)
	_, was := findEdge(&f.members, key)
	if full := feed.MayHold(f.sizes[key.List] + 1); full != nil && !was && r.EndedAt == 0 {
		return bad("%s", feed.Reason(full))
	}
	count := func() {
		if _, is := findEdge(&f.members, key); is && !was {
			f.sizes[key.List]++
		} else if was && !is {
			f.sizes[key.List]--
		}
	}
	s := do()
	if set := s.set; set != nil {
		s.set = func() { set(); count() }
	} else {
		count()
	}
	return s
}

// listChanges returns the changes of stored lists and of their members.
func (f *fold) listChanges(members []EdgeChange[feed.ListMemberRecord]) (list []ListChange) {
	made, ids := map[feed.ListID]bool{}, maps.Clone(f.lists.changed)
	for _, c := range members {
		if l, stored := f.lists.get(c.Key.List); stored && c.Made() != 0 {
			made[c.Key.List], ids[c.Key.List] = true, l
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		c := ListChange{Before: f.lists.stored[id], After: ids[id]}
		after := *c.After.AuthorList
		after.Members, c.After.AuthorList = f.sizes[id], &after
		was, is := c.Before.ExclusiveTo(), c.After.ExclusiveTo()
		c.Relisted = was != is && after.Members > 0 || made[id] && was+is != 0
		if c.Before.AuthorList == nil || *c.Before.AuthorList != after || c.Before.DeletedAt != c.After.DeletedAt || c.Relisted {
			list = append(list, c)
		}
	}
	return list
}
