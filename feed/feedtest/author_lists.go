package feedtest

import (
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// authorListPromises checks the promises of [feed.AuthorLists] and [feed.AuthorListReader].
func authorListPromises(s storeSuite) {
	list := func(id feed.ListID, owner feed.UserID) *feed.AuthorList {
		return &feed.AuthorList{ID: id, Owner: owner, Name: "list", Public: true, CreatedAt: noon + int64(id)}
	}
	members := func(w *world, id feed.ListID) []feed.Key { return must(w.ListReader.ListMembers(w.ctx, id, all())) }
	stored := func(w *world, ids ...feed.ListID) []*feed.AuthorList {
		return must(w.ListReader.AuthorLists(w.ctx, ids))
	}
	s.promise("lists are stored, changed by their owner alone, and deleted with their members", func(w *world) {
		for _, id := range []feed.ListID{1, 2} {
			check(w.AuthorLists.CreateList(w.ctx, list(id, ann)))
		}
		check(w.AuthorLists.CreateList(w.ctx, list(3, bob)))
		w.same("the lists", stored(w, 1, 9, 3), []*feed.AuthorList{list(1, ann), nil, list(3, bob)})
		w.same("ann's lists", must(w.ListReader.AuthorListsOf(w.ctx, ann)), []*feed.AuthorList{list(2, ann), list(1, ann)})
		renamed := list(1, ann)
		renamed.Name, renamed.Public = "other", false
		w.same("a changed list", must(w.AuthorLists.UpdateList(w.ctx, ann, 1, feed.ListChange{Name: new("other"), Public: new(false)})), renamed)
		w.same("a list that does not change", must(w.AuthorLists.UpdateList(w.ctx, ann, 1, feed.ListChange{})), renamed)
		must(w.AuthorLists.AddMembers(w.ctx, ann, 1, []feed.UserID{bob}, noon))
		must(w.AuthorLists.AddMembers(w.ctx, bob, 3, []feed.UserID{bob}, noon))
		renamed.Members = 1
		w.same("ann's lists with bob", must(w.ListReader.AuthorListsWith(w.ctx, ann, bob)), []*feed.AuthorList{renamed})
		w.same("ann's lists with cem", must(w.ListReader.AuthorListsWith(w.ctx, ann, cem)), []*feed.AuthorList(nil))
		must(w.AuthorLists.RemoveMembers(w.ctx, bob, 3, []feed.UserID{bob}))
		for _, id := range []feed.ListID{3, 9} {
			w.mustHaveCode(feed.CodeNotFound, errorOf(w.AuthorLists.UpdateList(w.ctx, ann, id, feed.ListChange{Name: new("x")})), "listId")
			w.mustHaveCode(feed.CodeNotFound, errorOf(w.AuthorLists.AddMembers(w.ctx, ann, id, []feed.UserID{cem}, noon)), "listId")
			w.mustHaveCode(feed.CodeNotFound, errorOf(w.AuthorLists.RemoveMembers(w.ctx, ann, id, []feed.UserID{cem})), "listId")
			check(w.AuthorLists.DeleteList(w.ctx, ann, id))
		}
		w.same("bob's list", stored(w, 3), []*feed.AuthorList{list(3, bob)})
		check(w.AuthorLists.DeleteList(w.ctx, ann, 1))
		w.same("the lists", stored(w, 1, 2), []*feed.AuthorList{nil, list(2, ann)})
		check(w.AuthorLists.CreateList(w.ctx, list(1, ann)))
		w.same("the members of a new list", members(w, 1), []feed.Key(nil))
		w.same("an id that is taken", w.AuthorLists.CreateList(w.ctx, list(1, bob)), error(feed.ErrIDTaken))
		w.mustHaveCode(feed.CodeNotFound, w.AuthorLists.CreateList(w.ctx, list(4, 12345)))
	})
	s.promise("members are added once, all or none, and counted", func(w *world) {
		check(w.AuthorLists.CreateList(w.ctx, list(1, ann)))
		count := func(l *feed.AuthorList, err error) int64 { check(err); return l.Members }
		w.same("the members", count(w.AuthorLists.AddMembers(w.ctx, ann, 1, []feed.UserID{cem, bob, cem}, noon)), int64(2))
		w.same("the members", count(w.AuthorLists.AddMembers(w.ctx, ann, 1, []feed.UserID{bob, ann}, noon+1)), int64(3))
		w.same("the list", members(w, 1), []feed.Key{{TS: noon + 1, ID: int64(ann)}, {TS: noon, ID: int64(cem)}, {TS: noon, ID: int64(bob)}})
		w.mustHaveCode(feed.CodeNotFound, errorOf(w.AuthorLists.AddMembers(w.ctx, ann, 1, []feed.UserID{dee, 12345}, noon)), "userIds")
		w.same("the members after a refusal", stored(w, 1)[0].Members, int64(3))
		w.same("the members", count(w.AuthorLists.RemoveMembers(w.ctx, ann, 1, []feed.UserID{cem, dee, 12345})), int64(2))
		w.same("no members", count(w.AuthorLists.RemoveMembers(w.ctx, ann, 1, nil)), int64(2))
		w.same("the list", members(w, 1), []feed.Key{{TS: noon + 1, ID: int64(ann)}, {TS: noon, ID: int64(bob)}})
	})
	s.promise("a change of an exclusive list raises the owner's version and is logged once", func(w *world) {
		exclusive := list(1, ann)
		exclusive.Exclusive = true
		check(w.AuthorLists.CreateList(w.ctx, exclusive))
		check(w.AuthorLists.CreateList(w.ctx, list(2, ann)))
		add := func(id feed.ListID, users ...feed.UserID) error {
			return errorOf(w.AuthorLists.AddMembers(w.ctx, ann, id, users, noon))
		}
		turn := func(id feed.ListID, on bool) error {
			return errorOf(w.AuthorLists.UpdateList(w.ctx, ann, id, feed.ListChange{Exclusive: &on}))
		}
		log := w.logReader()
		for _, step := range []struct {
			what    string
			do      func() error
			changes bool
			listed  bool
		}{
			{"members of a list that is not exclusive", func() error { return add(2, bob, cem) }, false, false},
			{"members", func() error { return add(1, bob, ann) }, true, true},
			{"the same members", func() error { return add(1, bob) }, false, true},
			{"another name", func() error {
				return errorOf(w.AuthorLists.UpdateList(w.ctx, ann, 1, feed.ListChange{Name: new("x"), Exclusive: new(true)}))
			}, false, true},
			{"a list that turns", func() error { return turn(1, false) }, true, false},
			{"another one that turns", func() error { return turn(2, true) }, true, true},
			{"a member who leaves", func() error { return errorOf(w.AuthorLists.RemoveMembers(w.ctx, ann, 2, []feed.UserID{bob})) }, true, false},
			{"the end of a list", func() error { return w.AuthorLists.DeleteList(w.ctx, ann, 2) }, true, false},
			{"the end of the first", func() error { return w.AuthorLists.DeleteList(w.ctx, ann, 1) }, false, false},
		} {
			w.rises(step.what, func() { check(step.do()) }, step.changes, false)
			var want []feed.Change
			if step.changes {
				want = []feed.Change{{Kind: feed.ChangeListed, User: ann}}
			}
			log.logs(step.what, want...)
			w.same("edges after "+step.what, w.edges(ann, ann, bob), []feed.Edge{{}, {Listed: step.listed}})
			w.same("the edge of the other user", w.edges(bob, ann), []feed.Edge{{}})
		}
	})
	s.promise("concurrent changes keep the limits and the count", func(w *world) {
		lists := make([]*feed.AuthorList, feed.ListsMax+3)
		for i := range lists {
			lists[i] = list(feed.ListID(10+i), ann)
		}
		refused := 0
		for _, err := range concurrently(len(lists), func(i int) error { return w.AuthorLists.CreateList(w.ctx, lists[i]) }) {
			if err != nil {
				w.mustHaveCode(feed.CodeConflict, err)
				refused++
			}
		}
		w.same("the refused lists", refused, 3)
		check(w.AuthorLists.CreateList(w.ctx, list(1, bob)))
		var users []feed.UserID
		var made []feed.Record
		for i := range feed.ListMembersMax + 2 {
			users = append(users, feed.UserID(5000+i))
			made = append(made, feed.Record{User: &feed.UserRecord{User: *newUser(users[i])}})
		}
		must(w.Import(w.ctx, records(made...)))
		chunks := slices.Collect(slices.Chunk(users, 500))
		refused = 0
		for _, err := range concurrently(len(chunks), func(i int) error { return errorOf(w.AuthorLists.AddMembers(w.ctx, bob, 1, chunks[i], noon)) }) {
			if err != nil {
				w.mustHaveCode(feed.CodeConflict, err, "userIds")
				refused++
			}
		}
		w.same("the refused additions", refused, 1)
		stored := must(w.ListReader.ListMembers(w.ctx, 1, feed.Range{Below: feed.Top, Limit: 2 * feed.ListMembersMax}))
		w.same("the counted members", must(w.ListReader.AuthorLists(w.ctx, []feed.ListID{1}))[0].Members, int64(len(stored)))
	})
	s.promise("an account's lists and memberships are purged, and an absent member is not listed", func(w *world) {
		check(w.AuthorLists.CreateList(w.ctx, list(1, ann)))
		check(w.AuthorLists.CreateList(w.ctx, list(2, bob)))
		for id, owner := range map[feed.ListID]feed.UserID{1: ann, 2: bob} {
			must(w.AuthorLists.AddMembers(w.ctx, owner, id, []feed.UserID{ann, bob, cem}, noon))
		}
		check(w.Presence.SetAbsent(w.ctx, []feed.UserID{cem}, true))
		w.deleteAccounts(bob)
		w.same("the list", members(w, 1), []feed.Key{{TS: noon, ID: int64(ann)}})
		w.purge(1)
		w.same("the lists", each(stored(w, 1, 2), func(l *feed.AuthorList) bool { return l != nil }), []bool{true, false})
		w.same("the members", stored(w, 1)[0].Members, int64(2))
		w.same("the members of the list that is gone", members(w, 2), []feed.Key(nil))
	})
}
