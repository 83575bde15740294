package feedtest

import (
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

func listRecord(id feed.ListID, owner feed.UserID) feed.Record {
	return feed.Record{List: &feed.AuthorList{ID: id, Owner: owner, Name: "list", Public: true, CreatedAt: noon}}
}

// exclusiveRecord is a list whose members leave the owner's home feed.
func exclusiveRecord(id feed.ListID, owner feed.UserID) feed.Record {
	r := listRecord(id, owner)
	r.List.Exclusive = true
	return r
}

func memberRecord(list feed.ListID, user feed.UserID) feed.Record {
	return feed.Record{ListMember: &feed.ListMemberRecord{List: list, User: user, CreatedAt: noon}}
}

// storedList returns a list as it is stored, and nil if it is not there.
func (w *world) storedList(id feed.ListID) *feed.AuthorList {
	return must(w.ListReader.AuthorLists(w.ctx, []feed.ListID{id}))[0]
}

func (w *world) membersOf(id feed.ListID) []feed.UserID {
	return each(must(w.ListReader.ListMembers(w.ctx, id, all())), func(k feed.Key) feed.UserID { return feed.UserID(k.ID) })
}

// listRecordPromises checks records of lists of authors and of their members, by an import and by a source.
func listRecordPromises(s storeSuite) {
	with := func(r feed.Record, members int64) *feed.AuthorList {
		l := *r.List
		l.Members = members
		return &l
	}
	s.promise("lists and members are exported as they were imported, once, and without those that have ended", func(w *world) {
		list, other, member := exclusiveRecord(1, ann), listRecord(2, bob), memberRecord(1, bob)
		w.same("the result", w.imports(records(list, other, member, memberRecord(1, cem))), feed.Applied{Stored: 4})
		w.same("the list", w.storedList(1), with(list, 2))
		w.same("ann's edges", w.edges(ann, bob, dee), []feed.Edge{{Listed: true}, {}})
		log := w.logReader()
		w.same("the result of a second import", w.imports(records(list, other, member)), feed.Applied{Unchanged: 3})
		log.logs("a second import")
		w.same("the lists and members of the export", slices.DeleteFunc(w.exports(), func(r feed.Record) bool { return r.List == nil && r.ListMember == nil }),
			unnumbered([]feed.Record{list, other, member, memberRecord(1, cem)}))
		renamed := listRecord(1, ann)
		renamed.List.Name, renamed.List.Public, renamed.List.CreatedAt = "x", false, noon+1
		w.differs(renamed, "name", "isPublic", "exclusive", "createdAt")
		w.updated(renamed, "name", "isPublic", "exclusive", "createdAt")
		w.same("the updated list", w.storedList(1), with(renamed, 2))
		w.same("ann's edges", w.edges(ann, bob), []feed.Edge{{}})
		must(w.AuthorLists.RemoveMembers(w.ctx, ann, 1, []feed.UserID{bob}))
		w.isUndone(member)
		w.updates(member)
		w.same("the members", w.storedList(1).Members, int64(2))
		w.areNotUndone([]feed.Record{member})
		check(w.AuthorLists.DeleteList(w.ctx, bob, 2))
		w.same("the lists of the export", len(slices.DeleteFunc(w.exports(), func(r feed.Record) bool { return r.List == nil })), 1)
	})
	s.promise("a list and a member need what they name, and keep it", func(w *world) {
		w.imports(records(listRecord(1, ann)))
		w.refuseEach("no user 424242", listRecord(2, missing), memberRecord(1, missing))
		w.refuseEach("no list 2", memberRecord(2, ann))
		w.refuseEach("list 1 is by user "+ann.String()+", not", listRecord(1, bob))
		w.same("another owner's record by a source", len(w.ingests(batchOf([]feed.Record{listRecord(1, bob)})).Bad), 1)
		w.ingest(gone(listRecord(1, ann)))
		w.refuseEach("no list 1", memberRecord(1, ann))
		w.differs(listRecord(1, ann), "deletedAt")
		w.updated(listRecord(1, ann), "deletedAt")
		w.same("a list that an update restores", w.storedList(1), with(listRecord(1, ann), 0))
	})
	s.promise("lists, members and users arrive in any order, and the list goes and returns", func(w *world) {
		w.follow(ann, bob)
		w.post(1, bob, noon)
		version := func(r feed.Record, n int64) feed.Record {
			r.Version.Number = n
			return r
		}
		for returns := range 2 {
			n := 0
			permuted(3+returns, func(order []int) {
				n++
				id, stranger := feed.ListID(1000*returns+n), feed.UserID(70_000+1000*returns+n)
				steps := [][]feed.Record{
					{version(listRecord(id, ann), 1)},
					{version(memberRecord(id, bob), 1), version(memberRecord(id, stranger), 1)},
					{version(gone(exclusiveRecord(id, ann)), 2)},
					{version(exclusiveRecord(id, ann), 3)},
				}
				for _, i := range order {
					b := batchOf(steps[i])
					b.Ordered = false
					w.same("bad records", w.ingests(b).Bad, []feed.BadRecord(nil))
				}
				what := fmt.Sprintf("with the order %v", order)
				w.same("whether ann's feed lacks bob's post "+what, len(w.feedOf(ann)), 1-returns)
				w.same("a list that returns "+what, w.storedList(id) != nil, returns == 1)
				if returns == 1 {
					w.same("the list "+what, w.storedList(id), with(exclusiveRecord(id, ann), 2))
					w.same("the members who have arrived "+what, w.membersOf(id), []feed.UserID{bob})
					w.ingest(profileRecord(stranger, "", ""))
					w.same("all members "+what, w.membersOf(id), []feed.UserID{stranger, bob})
				}
				w.ingest(gone(listRecord(id, ann)))
				w.same("ann's feed once the list has gone "+what, len(w.feedOf(ann)), 1)
			})
		}
	})
	s.promise("a list and its members that arrive at the same time are complete", func(w *world) {
		const lists = 12
		for _, err := range concurrently(3*lists, func(i int) error {
			id := feed.ListID(1 + i/3)
			r := [...]feed.Record{exclusiveRecord(id, ann), memberRecord(id, bob), memberRecord(id, cem)}[i%3]
			b := batchOf([]feed.Record{r})
			b.Ordered, b.Records[0].Version.Number = false, 1
			return errorOf(w.Ingester.Ingest(w.ctx, b))
		}) {
			check(err)
		}
		for id := feed.ListID(1); id <= lists; id++ {
			w.same("list "+fmt.Sprint(id), w.storedList(id), with(exclusiveRecord(id, ann), 2))
			w.ingest(gone(memberRecord(id, bob)))
		}
		w.same("ann's edges", w.edges(ann, bob, cem), []feed.Edge{{}, {Listed: true}})
	})
	s.promise("a record that changes exclusive members raises the owner's version and is logged once", func(w *world) {
		log := w.logReader()
		for _, step := range []struct {
			what    string
			records []feed.Record
			changes bool
		}{
			{"members of a list that has not arrived", []feed.Record{memberRecord(1, bob), memberRecord(1, cem)}, false},
			{"a list that is not exclusive", []feed.Record{listRecord(1, ann)}, false},
			{"a list that turns", []feed.Record{exclusiveRecord(1, ann)}, true},
			{"the same list", []feed.Record{exclusiveRecord(1, ann), memberRecord(1, bob)}, false},
			{"members", []feed.Record{memberRecord(1, ann), memberRecord(1, dee)}, true},
			{"an empty list", []feed.Record{exclusiveRecord(2, ann)}, false},
			{"the end of a member", []feed.Record{gone(memberRecord(1, dee))}, true},
			{"the end of the list", []feed.Record{gone(exclusiveRecord(1, ann))}, true},
			{"a member of a list that is gone", []feed.Record{memberRecord(1, dee)}, false},
			{"the return of the list", []feed.Record{exclusiveRecord(1, ann)}, true},
		} {
			w.user(dee)
			w.rises(step.what, func() { w.ingest(step.records...) }, step.changes, false)
			var want []feed.Change
			if step.changes {
				want = []feed.Change{{Kind: feed.ChangeListed, User: ann}}
			}
			log.logs(step.what, want...)
		}
	})
	s.promise("records keep the limits of lists, and what is bad for them is applied once there is room", func(w *world) {
		var lists, members []feed.Record
		for i := range feed.ListsMax {
			lists = append(lists, listRecord(feed.ListID(1+i), ann))
		}
		for i := range feed.ListMembersMax {
			members = append(members, memberRecord(1, feed.UserID(100_000+i)))
		}
		w.ingest(members...)
		w.ingest(lists...)
		w.same("the members", w.storedList(1).Members, int64(feed.ListMembersMax))
		w.badToIngest("a user has at most 100 lists", listRecord(500, ann))
		w.badToIngest("a list has at most 5000 members", memberRecord(1, bob))
		w.refuseEach("a user has at most 100 lists", listRecord(501, ann))
		w.refuseEach("a list has at most 5000 members", memberRecord(1, bob))
		w.ingest(listRecord(1, ann), members[3])
		w.ingest(gone(lists[7]), listRecord(500, ann))
		w.badToIngest("a user has at most 100 lists", lists[7])
		w.ingest(gone(members[3]), memberRecord(1, bob))
		w.same("the members", w.storedList(1).Members, int64(feed.ListMembersMax))
		w.mustHaveCode(feed.CodeConflict, w.AuthorLists.CreateList(w.ctx, listRecord(600, ann).List))
	})
	s.promise("lists that are gone are purged with their owner, who gets no more", func(w *world) {
		w.ingest(listRecord(1, ann), listRecord(2, ann), memberRecord(1, bob), memberRecord(2, bob), listRecord(3, bob), memberRecord(3, ann), memberRecord(3, cem))
		w.ingest(gone(listRecord(1, ann)), gone(listRecord(3, bob)))
		w.deleteAccounts(ann)
		w.same("exported lists", slices.ContainsFunc(w.exports(), func(r feed.Record) bool { return r.List != nil || r.ListMember != nil }), false)
		w.purge(1)
		w.same("the members", [][]feed.UserID{w.membersOf(1), w.membersOf(2), w.membersOf(3)}, [][]feed.UserID{nil, nil, {cem}})
		w.badToIngest("the account of user "+ann.String()+" was deleted", listRecord(1, ann), memberRecord(3, ann))
		w.ingest(listRecord(3, bob))
		w.same("a list that returns", w.storedList(3), with(listRecord(3, bob), 1))
	})
	s.promise("a partial record completes a list, and an unclear one hides it", func(w *world) {
		part := func(fields ...string) feed.Record {
			return partial(feed.Record{List: &feed.AuthorList{ID: 1, Owner: ann, Exclusive: true}}, fields...)
		}
		w.badToIngest("list 1 is not stored, so its record must not be partial", part("exclusive"))
		w.ingest(listRecord(1, ann), memberRecord(1, bob))
		w.ingest(part("exclusive"))
		w.same("a list with a part", w.storedList(1), with(exclusiveRecord(1, ann), 1))
		w.ingest(partial(gone(part()), "deletedAt"))
		w.ingest(part("exclusive"))
		w.same("a list that is gone", w.storedList(1), (*feed.AuthorList)(nil))
		w.ingest(part("deletedAt"))
		w.same("a list that returns", w.storedList(1), with(exclusiveRecord(1, ann), 1))
		unclear := exclusiveRecord(1, ann)
		unclear.Unclear = "who sees it?"
		w.same("an unclear record", w.ingests(batchOf([]feed.Record{unclear})).Bad, []feed.BadRecord{{Line: 1, Reason: "who sees it?", Hides: true}})
		w.same("a list that is unclear", w.storedList(1), (*feed.AuthorList)(nil))
	})
	s.promise("only a list that records make has another id than its number", func(w *world) {
		if must(w.IDs.UseIDs(w.ctx, "")) != feed.NumberIDs {
			w.t.Fatal("want a store of numbers")
		}
		check(w.AuthorLists.CreateList(w.ctx, listRecord(1, ann).List))
		w.same("the id", w.storedList(1).PublicID(), feed.PublicListID{Number: 1})
	})
	s.empty("where ids are texts, lists have those of their source, or their numbers", func(w *world) {
		UseIDs(w.t, w.Stores, feed.TextIDs)
		w.user(ann)
		r := listRecord(7, ann)
		r.List.External = "seven"
		w.drawAs(feed.ListIDs, "seven", 7)
		w.imports(records(r))
		check(w.AuthorLists.CreateList(w.ctx, listRecord(8, ann).List))
		w.same("the ids", []feed.PublicListID{w.storedList(7).PublicID(), w.storedList(8).PublicID()}, []feed.PublicListID{{Number: 7, External: "seven"}, {Number: 8, External: "8"}})
		w.same("the numbers", w.find(feed.ListIDs, "seven", "8", "7"), []int64{7, 8, 0})
		w.same("a number that is taken", w.AuthorLists.CreateList(w.ctx, listRecord(7, ann).List), error(feed.ErrIDTaken))
	})
}

// permuted calls do with every order of the numbers below n.
func permuted(n int, do func(order []int)) {
	var next func(order []int)
	next = func(order []int) {
		if len(order) == n {
			do(order)
		}
		for i := range n {
			if !slices.Contains(order, i) {
				next(append(slices.Clone(order), i))
			}
		}
	}
	next(nil)
}
