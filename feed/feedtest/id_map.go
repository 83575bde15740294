package feedtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// IDMap tests [feed.IDMap], and that the objects have their external ids.
func IDMap(t *testing.T, open func(t *testing.T) Stores) {
	testPromises(t, open, []promise{
		{"draws each number once", func(w *world) {
			first := w.draw(feed.UserIDs, "auth0|7", "b5fd1b53-6a3c-4f0e-8b1a-0a9d2b6c7d11", "auth0|7")
			if first[0] < 1 || first[1] < 1 || first[0] == first[1] || first[0] != first[2] {
				w.t.Errorf("got numbers %v, want two, of which the first twice", first)
			}
			w.same("the numbers of the same ids", w.draw(feed.UserIDs, "auth0|7", "b5fd1b53-6a3c-4f0e-8b1a-0a9d2b6c7d11", "auth0|7"), first)
		}},
		{"keeps kinds apart", func(w *world) {
			n := w.draw(feed.PostIDs, "7")
			w.same("the number of a user and a session", append(w.find(feed.UserIDs, "7"), w.find(feed.LiveIDs, "7")...), []int64{0, 0})
			w.same("the external id of a user", w.external(feed.UserIDs, n...), []feed.ExternalID{""})
			w.same("a session with the number", w.drawAs(feed.LiveIDs, "other", n[0]), n[0])
		}},
		{"finds what was drawn", func(w *world) {
			n := w.draw(feed.LiveIDs, "a", "b")
			w.same("the numbers", w.find(feed.LiveIDs, "b", "c", "a", "b"), []int64{n[1], 0, n[0], n[1]})
			w.same("the ids", w.external(feed.LiveIDs, n[1], 5, n[0]), []feed.ExternalID{"b", "", "a"})
			w.same("no ids", len(w.find(feed.LiveIDs)), 0)
		}},
		{"compares byte by byte", func(w *world) {
			ids := []feed.ExternalID{"a", "A", "á", "a\u0301", "ａ", " a", "a ", "\u00ad", "a\u200b", "ß", "ss", "007", "7", `"`, `\`, "'", "%", "\U0001f600", "i", "ı"}
			distinct := slices.Compact(slices.Sorted(slices.Values(w.draw(feed.UserIDs, ids...))))
			w.same("the number of numbers", len(distinct), len(ids))
			w.same("the ids read", w.external(feed.UserIDs, w.find(feed.UserIDs, ids...)...), ids)
		}},
		{"accepts up to 128 bytes", func(w *world) {
			long := feed.ExternalID(strings.Repeat("ö", 64))
			w.draw(feed.UserIDs, long, "x")
			w.refuseIDs(long+"x", "")
		}},
		{"refuses malformed ids", func(w *world) {
			w.refuseIDs("a\x00b", "a\nb", "\u0085", "\x7f", "a\xff", "\xed\xa0\x80")
		}},
		{"keeps wanted numbers", func(w *world) {
			w.same("a wanted number", w.drawAs(feed.PostIDs, "a", 77), int64(77))
			w.same("another wanted number", w.drawAs(feed.PostIDs, "a", 78), int64(77))
			w.same("a taken number", w.drawAs(feed.PostIDs, "b", 77), int64(0))
			w.same("the largest number", w.drawAs(feed.PostIDs, "c", math.MaxInt64), int64(math.MaxInt64))
			w.same("the ids", w.external(feed.PostIDs, 77, 78), []feed.ExternalID{"a", ""})
		}},
		{"prefers a wanted number among repeated ids", func(w *world) {
			n, err := w.IDs.DrawIDs(w.ctx, feed.PostIDs, []feed.NumberedID{{ID: "a"}, {ID: "a", Number: 77}})
			w.must(err)
			w.same("the numbers", n, []int64{77, 77})
		}},
		{"agrees under concurrency", drawConcurrently},
		{"stores one mode for ever", storeMode},
		{"has no text mode with data from before", func(w *world) {
			w.user(ann)
			_, err := w.IDs.UseIDs(w.ctx, feed.TextIDs)
			w.mustHaveCode(feed.CodeConflict, err)
			w.same("the mode", w.useIDs(""), feed.NumberIDs)
		}},
		{"stores the ids of objects", storeExternal},
		{"names own posts by their number", nameOwnPosts},
		{"fails with an ended context", func(w *world) {
			w.refusesEndedContext(map[string]func(ctx context.Context) error{
				"UseIDs": func(ctx context.Context) error { _, err := w.IDs.UseIDs(ctx, ""); return err },
				"DrawIDs": func(ctx context.Context) error {
					_, err := w.IDs.DrawIDs(ctx, feed.UserIDs, []feed.NumberedID{{ID: "a"}})
					return err
				},
				"FindIDs": func(ctx context.Context) error {
					_, err := w.IDs.FindIDs(ctx, feed.UserIDs, []feed.ExternalID{"a"})
					return err
				},
				"ExternalIDs": func(ctx context.Context) error {
					_, err := w.IDs.ExternalIDs(ctx, feed.UserIDs, []int64{1})
					return err
				},
			})
		}},
	})
}

func (w *world) draw(kind feed.IDKind, ids ...feed.ExternalID) []int64 {
	w.t.Helper()
	wanted := make([]feed.NumberedID, len(ids))
	for i, id := range ids {
		wanted[i].ID = id
	}
	n, err := w.IDs.DrawIDs(w.ctx, kind, wanted)
	w.must(err)
	return n
}

func (w *world) drawAs(kind feed.IDKind, id feed.ExternalID, number int64) int64 {
	w.t.Helper()
	n, err := w.IDs.DrawIDs(w.ctx, kind, []feed.NumberedID{{ID: id, Number: number}})
	w.must(err)
	return n[0]
}

func (w *world) find(kind feed.IDKind, ids ...feed.ExternalID) []int64 {
	w.t.Helper()
	n, err := w.IDs.FindIDs(w.ctx, kind, ids)
	w.must(err)
	return n
}

func (w *world) external(kind feed.IDKind, numbers ...int64) []feed.ExternalID {
	w.t.Helper()
	ids, err := w.IDs.ExternalIDs(w.ctx, kind, numbers)
	w.must(err)
	return ids
}

func (w *world) useIDs(mode feed.IDMode) feed.IDMode {
	w.t.Helper()
	stored, err := w.IDs.UseIDs(w.ctx, mode)
	w.must(err)
	return stored
}

// refuseIDs checks that a batch with any of the ids is refused whole, and that none is found.
func (w *world) refuseIDs(ids ...feed.ExternalID) {
	w.t.Helper()
	for _, id := range ids {
		_, err := w.IDs.DrawIDs(w.ctx, feed.UserIDs, []feed.NumberedID{{ID: "good"}, {ID: id}})
		if feed.CodeOf(err) != feed.CodeInvalid {
			w.t.Errorf("drawing %q: got error %v, want %s", id, err, feed.CodeInvalid)
		}
		w.same(fmt.Sprintf("the numbers of %q", id), w.find(feed.UserIDs, id, "good"), []int64{0, 0})
	}
}

func drawConcurrently(w *world) {
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
	w.must(errors.Join(concurrently(processes, func(i int) (err error) {
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
}

func storeMode(w *world) {
	w.same("the mode", w.useIDs(feed.TextIDs), feed.TextIDs)
	w.same("the mode for a start without one", w.useIDs(""), feed.TextIDs)
	_, err := w.IDs.UseIDs(w.ctx, feed.NumberIDs)
	w.mustHaveCode(feed.CodeConflict, err)
	if !strings.Contains(err.Error(), "--ids=text") {
		w.t.Errorf("the error does not name the stored mode: %v", err)
	}
	w.user(ann)
	w.same("the mode of a database with data", w.useIDs(feed.TextIDs), feed.TextIDs)
}

// storeExternal checks that each object is returned, changed and exported with its external id.
func storeExternal(w *world) {
	w.useIDs(feed.TextIDs)
	u, p := newUser(ann), newPost(10, ann, noon)
	u.External, p.External = "auth0|ann", "post/ö"
	w.draw(feed.UserIDs, u.External)
	_, err := w.Users.EnsureUser(w.ctx, u)
	w.must(err)
	w.publish(p)
	session := feed.LiveRecord{ID: 5, External: "live:5", Host: ann, Title: "tea", ScheduledAt: noon}
	w.imports([]feed.Record{{Live: &session}})
	w.same("the user", w.usersOf(ann), []*feed.User{u})
	got, err := w.PostWriter.Edit(w.ctx, p.ID, "edited", noon+1)
	w.must(err)
	w.same("the external id of an edited post", got.External, p.External)
	w.same("the external id after a profile change", w.update(ann, feed.ProfileChange{Name: new("Ann")}).External, u.External)
	imported := userRecord(bob)
	imported.User.External = "auth0|bob"
	w.imports([]feed.Record{imported})
	imported.User.Name = "Robert"
	w.updates(imported)
	w.same("an imported user", w.usersOf(bob)[0].External, imported.User.External)
	ids := map[string]feed.ExternalID{}
	w.must(w.Exporter.Export(w.ctx, func(r feed.Record) error {
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
}

// nameOwnPosts checks that a post without an external id gets its number as one, and that neither
// an id nor a number is given to two posts.
func nameOwnPosts(w *world) {
	w.useIDs(feed.TextIDs)
	w.user(ann)
	unnamed := func(id feed.PostID) *feed.Post {
		p := newPost(id, ann, noon)
		p.External = ""
		return p
	}
	made, err := w.PostWriter.Publish(w.ctx, unnamed(10), feed.Idempotency{}, eventAt(noon))
	w.must(err)
	w.same("the external id of the result", made.Post.External, feed.ExternalID("10"))
	stored, err := w.Posts.Posts(w.ctx, []feed.PostID{10})
	w.must(err)
	w.same("the external id stored", stored[0].External, feed.ExternalID("10"))
	w.same("the number of the id", w.find(feed.PostIDs, "10"), []int64{10})
	w.draw(feed.PostIDs, "11")
	w.drawAs(feed.PostIDs, "other", 12)
	for _, taken := range []feed.PostID{11, 12} {
		if _, err := w.PostWriter.Publish(w.ctx, unnamed(taken), feed.Idempotency{}, eventAt(noon)); !errors.Is(err, feed.ErrIDTaken) {
			w.t.Errorf("publishing post %d, whose id or number is taken: got error %v, want %v", taken, err, feed.ErrIDTaken)
		}
	}
}

// nameOwnSessions is nameOwnPosts for live sessions.
func nameOwnSessions(w *liveWorld) {
	w.useIDs(feed.TextIDs)
	w.user(ann)
	w.same("the external id", w.schedule(10, ann, noon).External, feed.ExternalID("10"))
	w.same("the number of the id", w.find(feed.LiveIDs, "10"), []int64{10})
	w.draw(feed.LiveIDs, "11")
	if _, err := w.Sessions.Schedule(w.ctx, upcoming(11, ann, noon), many); !errors.Is(err, live.ErrIDTaken) {
		w.t.Errorf("scheduling a session whose id is taken: got error %v, want %v", err, live.ErrIDTaken)
	}
}
