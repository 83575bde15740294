package feedtest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// idMapPromises tests [feed.IDMap], and that the objects have their external ids.
func idMapPromises(s storeSuite) {
	s.empty("draws each number once", func(w *world) {
		first := w.draw(feed.UserIDs, "auth0|7", "b5fd1b53-6a3c-4f0e-8b1a-0a9d2b6c7d11", "auth0|7")
		w.failIf(first[0] < 1 || first[1] < 1 || first[0] == first[1] || first[0] != first[2],
			"got numbers %v, want two, of which the first twice", first)
		w.same("the numbers of the same ids", w.draw(feed.UserIDs, "auth0|7", "b5fd1b53-6a3c-4f0e-8b1a-0a9d2b6c7d11", "auth0|7"), first)
	})
	s.empty("keeps kinds apart", func(w *world) {
		n := w.draw(feed.PostIDs, "7")
		w.same("the number of a user and a session", append(w.find(feed.UserIDs, "7"), w.find(feed.LiveIDs, "7")...), []int64{0, 0})
		w.same("the external id of a user", w.external(feed.UserIDs, n...), []feed.ExternalID{""})
		w.same("a session with the number", w.drawAs(feed.LiveIDs, "other", n[0]), n[0])
	})
	s.empty("finds what was drawn", func(w *world) {
		n := w.draw(feed.LiveIDs, "a", "b")
		w.same("the numbers", w.find(feed.LiveIDs, "b", "c", "a", "b"), []int64{n[1], 0, n[0], n[1]})
		w.same("the ids", w.external(feed.LiveIDs, n[1], 5, n[0]), []feed.ExternalID{"b", "", "a"})
		w.same("no ids", len(w.find(feed.LiveIDs)), 0)
	})
	s.empty("compares byte by byte", func(w *world) {
		ids := []feed.ExternalID{"a", "A", "á", "a\u0301", "ａ", " a", "a ", "\u00ad", "a\u200b", "ß", "ss", "007", "7", `"`, `\`, "'", "%", "\U0001f600", "i", "ı"}
		distinct := slices.Compact(slices.Sorted(slices.Values(w.draw(feed.UserIDs, ids...))))
		w.same("the number of numbers", len(distinct), len(ids))
		w.same("the ids read", w.external(feed.UserIDs, w.find(feed.UserIDs, ids...)...), ids)
	})
	s.empty("accepts up to 128 bytes, and refuses malformed ids", func(w *world) {
		long := feed.ExternalID(strings.Repeat("ö", 64))
		w.draw(feed.UserIDs, long, "x")
		w.refuseIDs(long+"x", "")
		w.refuseIDs("a\x00b", "a\nb", "\u0085", "\x7f", "a\xff", "\xed\xa0\x80")
	})
	s.empty("keeps wanted numbers, also among repeated ids", func(w *world) {
		w.same("a wanted number", w.drawAs(feed.PostIDs, "a", 77), int64(77))
		w.same("another wanted number", w.drawAs(feed.PostIDs, "a", 78), int64(77))
		w.same("a taken number", w.drawAs(feed.PostIDs, "b", 77), int64(0))
		w.same("the largest number", w.drawAs(feed.PostIDs, "c", math.MaxInt64), int64(math.MaxInt64))
		w.same("the ids", w.external(feed.PostIDs, 77, 78), []feed.ExternalID{"a", ""})
		n := must(w.IDs.DrawIDs(w.ctx, feed.UserIDs, []feed.NumberedID{{ID: "a"}, {ID: "a", Number: 77}}))
		w.same("the numbers", n, []int64{77, 77})
	})
	s.empty("agrees under concurrency", func(w *world) {
		const processes, each = 8, 40
		ids := func(process int) (list []feed.NumberedID) {
			for i := range each {
				// Neighbors share most of their ids, in opposite orders.
				list = append(list, feed.NumberedID{ID: feed.ExternalID(fmt.Sprint("id ", i+process))})
			}
			if process%2 == 1 {
				slices.Reverse(list)
			}
			return list
		}
		drawn := make([][]int64, processes)
		check(errors.Join(concurrently(processes, func(i int) (err error) {
			drawn[i], err = w.IDs.DrawIDs(w.ctx, feed.UserIDs, ids(i))
			return err
		})...))
		numbers, owners := map[feed.ExternalID]int64{}, map[int64]feed.ExternalID{}
		for p := range processes {
			for i, id := range ids(p) {
				n := drawn[p][i]
				if n < 1 || numbers[id.ID] != 0 && numbers[id.ID] != n || owners[n] != "" && owners[n] != id.ID {
					w.t.Fatalf("%s has number %d in process %d; elsewhere it has %d, or %q has that number", id.ID, n, p, numbers[id.ID], owners[n])
				}
				numbers[id.ID], owners[n] = n, id.ID
			}
		}
	})
	s.empty("stores one mode for ever", func(w *world) {
		w.same("the mode", w.useIDs(feed.TextIDs), feed.TextIDs)
		w.same("the mode for a start without one", w.useIDs(""), feed.TextIDs)
		err := errorOf(w.IDs.UseIDs(w.ctx, feed.NumberIDs))
		w.mustHaveCode(feed.CodeConflict, err)
		w.failIf(!strings.Contains(err.Error(), "--ids=text"), "the error does not name the stored mode: %v", err)
		w.user(ann)
		w.same("the mode of a database with data", w.useIDs(feed.TextIDs), feed.TextIDs)
	})
	s.promise("has no text mode with data from before", func(w *world) {
		w.mustHaveCode(feed.CodeConflict, errorOf(w.IDs.UseIDs(w.ctx, feed.TextIDs)))
		w.same("the mode", w.useIDs(""), feed.NumberIDs)
	})
	// storeExternal checks that each object is returned, changed and exported with its external id.
	s.empty("stores the ids of objects", func(w *world) {
		w.useIDs(feed.TextIDs)
		u, p := newUser(ann), newPost(10, ann, noon)
		u.External, p.External = "auth0|ann", "post/ö"
		w.draw(feed.UserIDs, u.External)
		must(w.Users.EnsureUser(w.ctx, u))
		w.publish(p)
		session := feed.LiveRecord{ID: 5, External: "live:5", Host: ann, Title: "tea", ScheduledAt: noon}
		w.imports([]feed.Record{{Live: &session}})
		w.same("the user", w.usersOf(ann), []*feed.User{u})
		w.same("the external id of an edited post", must(w.PostWriter.Edit(w.ctx, p.ID, "edited", noon+1)).External, p.External)
		w.same("the external id after a profile change", w.update(ann, feed.ProfileChange{Name: new("Ann")}).External, u.External)
		imported := userRecord(bob)
		imported.User.External = "auth0|bob"
		w.imports([]feed.Record{imported})
		imported.User.Name = "Robert"
		w.updates(imported)
		w.same("an imported user", w.usersOf(bob)[0].External, imported.User.External)
		ids := map[string]feed.ExternalID{}
		check(w.Exporter.Export(w.ctx, func(r feed.Record) error {
			switch {
			case r.User != nil:
				ids[r.Object().String()] = r.User.External
			case r.Post != nil:
				ids[r.Object().String()] = r.Post.External
			case r.Live != nil:
				ids[r.Object().String()] = r.Live.External
			}
			return nil
		}))
		w.same("the exported ids", ids, map[string]feed.ExternalID{
			"user 9": u.External, "user 10": imported.User.External, "post 10": p.External, "live 5": session.External,
		})
	})
	// nameOwnPosts checks that a post without an external id gets its number as one, and that neither
	// an id nor a number is given to two posts.
	s.empty("names own posts by their number", func(w *world) {
		w.useIDs(feed.TextIDs)
		w.user(ann)
		unnamed := func(id feed.PostID) *feed.Post {
			p := newPost(id, ann, noon)
			p.External = ""
			return p
		}
		made := must(w.PostWriter.Publish(w.ctx, unnamed(10), feed.Idempotency{}, eventAt(noon)))
		w.same("the external id of the result", made.Post.External, feed.ExternalID("10"))
		stored := must(w.Posts.Posts(w.ctx, []feed.PostID{10}))
		w.same("the external id stored", stored[0].External, feed.ExternalID("10"))
		w.same("the number of the id", w.find(feed.PostIDs, "10"), []int64{10})
		w.draw(feed.PostIDs, "11")
		w.drawAs(feed.PostIDs, "other", 12)
		for _, taken := range []feed.PostID{11, 12} {
			w.mustBe(feed.ErrIDTaken, errorOf(w.PostWriter.Publish(w.ctx, unnamed(taken), feed.Idempotency{}, eventAt(noon))))
		}
	})
}

func (w *world) draw(kind feed.IDKind, ids ...feed.ExternalID) []int64 {
	wanted := make([]feed.NumberedID, len(ids))
	for i, id := range ids {
		wanted[i].ID = id
	}
	return must(w.IDs.DrawIDs(w.ctx, kind, wanted))
}

func (w *world) drawAs(kind feed.IDKind, id feed.ExternalID, number int64) int64 {
	return must(w.IDs.DrawIDs(w.ctx, kind, []feed.NumberedID{{ID: id, Number: number}}))[0]
}

func (w *world) find(kind feed.IDKind, ids ...feed.ExternalID) []int64 {
	return must(w.IDs.FindIDs(w.ctx, kind, ids))
}

func (w *world) external(kind feed.IDKind, numbers ...int64) []feed.ExternalID {
	return must(w.IDs.ExternalIDs(w.ctx, kind, numbers))
}

func (w *world) useIDs(mode feed.IDMode) feed.IDMode { return must(w.IDs.UseIDs(w.ctx, mode)) }

// refuseIDs checks that a batch with any of the ids is refused whole, and that none is found.
func (w *world) refuseIDs(ids ...feed.ExternalID) {
	for _, id := range ids {
		_, err := w.IDs.DrawIDs(w.ctx, feed.UserIDs, []feed.NumberedID{{ID: "good"}, {ID: id}})
		w.failIf(feed.CodeOf(err) != feed.CodeInvalid, "drawing %q: got error %v, want %s", id, err, feed.CodeInvalid)
		w.same(fmt.Sprintf("the numbers of %q", id), w.find(feed.UserIDs, id, "good"), []int64{0, 0})
	}
}
