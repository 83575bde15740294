package feedtest

import (
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// unfitRecordPromises checks that a bad record of a source is applied as far as it says who may see its object.
func unfitRecordPromises(s storeSuite) {
	long := strings.Repeat("x", 100_001) // neither a name nor a text may be as long
	private := func() feed.Record {
		r := userRecord(ann)
		r.User.Private, r.User.Suspended = true, feed.HiddenForRecord
		return r
	}
	privacy := func(w *world) (is [2]bool) {
		u := must(w.Moderation.StoredUser(w.ctx, ann))
		return [2]bool{u.Private, u.Suspended != 0}
	}
	follows := func(w *world) [2]bool { return [2]bool{w.edges(cem, bob)[0].Follows, len(w.requests()) == 1} }
	asks := func() feed.Record {
		r := followRecord(cem, bob)
		r.Follow.Requested = true
		return r
	}
	shows := func(w *world) [2]bool {
		p := w.postsOf(1)[0]
		shown := p != nil && p.DeletedAt == 0
		return [2]bool{shown, shown && p.Text == "again"}
	}
	edited := func() feed.Record {
		r := postRecord(1, bob)
		r.Post.Text = "again"
		return r
	}
	kinds := []struct {
		name       string
		first, bad feed.Record
		good       feed.Record
		is         func(*world) [2]bool
		// before, hidden and after are what is returns after each of the records.
		before, hidden, after [2]bool
	}{
		{"a user", userRecord(ann), withName(private(), long), withName(private(), "new"), privacy, [2]bool{}, [2]bool{true, true}, [2]bool{true, true}},
		{"a follow", followRecord(cem, bob), withTime(asks(), noon+century), asks(), follows, [2]bool{true, false}, [2]bool{false, true}, [2]bool{false, true}},
		{"a post", postRecord(1, bob), withText(postRecord(1, bob), long), edited(), shows, [2]bool{true, false}, [2]bool{}, [2]bool{true, true}},
	}
	for _, k := range kinds {
		s.promise("a bad record of "+k.name+" still says who may see it", func(w *world) {
			at := func(n int64, r feed.Record) feed.Ingested { return w.ingestVersion(feed.ObjectVersion{Number: n}, r) }
			at(1, k.first)
			w.same("at first", k.is(w), k.before)
			got := at(3, k.bad)
			w.failIf(len(got.Bad) != 1 || !got.Bad[0].Hides || len(w.letters()) != 1, "what is bad is %+v", got.Bad)
			w.same("after the bad record", k.is(w), k.hidden)
			w.same("the outdated records", at(2, k.first).Outdated, 1)
			w.same("after an older record", k.is(w), k.hidden)
			w.same("what is bad once more", at(3, k.bad).Bad, got.Bad)
			w.same("what is bad about a good record with this version", at(3, k.good).Bad, []feed.BadRecord(nil))
			w.same("after it", k.is(w), k.after)
			w.same("another record with this version", len(at(3, k.first).Bad), 1)
			w.same("in the end", k.is(w), k.after)
		})
		s.promise("a bad record of "+k.name+" still says who may see it, in order", func(w *world) {
			w.ingest(k.first)
			w.failIf(len(w.ingests(batchOf([]feed.Record{k.bad})).Bad) != 1, "nothing is bad")
			w.same("after the bad record", k.is(w), k.hidden)
			w.ingest(k.good)
			w.same("after a good one", k.is(w), k.after)
		})
		s.promise("a bad record of "+k.name+" that is not stored shows nothing", func(w *world) {
			w.same("what is bad", len(w.ingestVersion(feed.ObjectVersion{Number: 1}, k.bad).Bad), 1)
			w.same("what is bad about a good record", w.ingestVersion(feed.ObjectVersion{Number: 1}, k.good).Bad, []feed.BadRecord(nil))
			w.same("after it", k.is(w), k.after)
		})
	}
	s.promise("a bad sanction in a record of a source is none", func(w *world) {
		bad := userRecord(ann)
		bad.Moderated.At = noon
		w.ingest(userRecord(ann))
		w.same("what is bad", len(w.ingests(batchOf([]feed.Record{bad})).Bad), 1)
		w.same("the sanctions", len(w.inForce(feed.Subject{User: ann})), 0)
	})
	s.promise("a bad partial record still says who may see its object", func(w *world) {
		w.ingest(userRecord(ann))
		bad := partial(withName(private(), long), "name", "private")
		w.same("what is bad", len(w.ingests(batchOf([]feed.Record{bad})).Bad), 1)
		w.same("the user", privacy(w), [2]bool{true, false})
		w.ingest(postRecord(1, bob))
		w.same("what is bad about a post", len(w.ingests(batchOf([]feed.Record{partial(withText(postRecord(1, bob), long), "text")})).Bad), 1)
		w.same("the post", shows(w), [2]bool{})
	})
}

func withName(r feed.Record, name string) feed.Record {
	r.User.Name = name
	return r
}

func withTime(r feed.Record, at int64) feed.Record {
	r.Follow.CreatedAt = at
	return r
}

func withText(r feed.Record, text string) feed.Record {
	r.Post.Text = text
	return r
}
