package feedtest

import (
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// importRefusals checks which records [feed.Applier] refuses.
func importRefusals(s storeSuite) {
	s.empty("a record that refers to an unknown object is refused, and the reason has the id", func(w *world) {
		w.imports(sampleRecords())
		w.refuseEach("no user "+feed.UserID(missing).String(),
			followRecord(ann, missing), followRecord(missing, ann),
			postRecord(50, missing),
			reactionRecord(feed.ReactionLike, missing, 10),
			relationRecord(feed.RelationMute, ann, missing), relationRecord(feed.RelationBlock, missing, ann),
		)
		w.refuseEach("no post "+feed.PostID(missing).String(),
			commentRecord(50, ann, missing), repostRecord(50, ann, missing),
			reactionRecord(feed.ReactionFavorite, ann, missing),
		)
	})
	s.empty("a record may refer to earlier records of its batch, but not to later ones", func(w *world) {
		batch := records(
			userRecord(ann), followRecord(ann, bob), userRecord(bob), followRecord(ann, bob),
			commentRecord(2, ann, 1), postRecord(1, ann), commentRecord(2, ann, 1),
		)
		got := w.imports(batch)
		w.same("the number of stored records", got.Stored, 5)
		w.same("the refused lines", lines(got.Bad), []int{2, 5})
		w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Following: 1, Posts: 2})
	})
	s.empty("a record that contradicts the store or itself is refused", func(w *world) {
		w.imports(sampleRecords())
		noParent, noOriginal := commentRecord(50, ann, 0), repostRecord(50, ann, 0)
		withParent, withOriginal := postRecord(50, ann), postRecord(50, ann)
		withParent.Post.ReplyTo, withOriginal.Post.RepostOf = 10, 10
		both, mixed := commentRecord(50, ann, 10), repostRecord(50, ann, 10)
		both.Post.RepostOf, mixed.Post.ReplyTo = 10, 10
		unknownKind := postRecord(50, ann)
		unknownKind.Post.Kind = "VIDEO"
		w.refuseEach("",
			followRecord(ann, ann),
			relationRecord(feed.RelationMute, ann, ann),
			relationRecord("envy", ann, bob),
			reactionRecord("shrug", ann, 10),
			postRecord(10, ann), // It is bob's.
			noParent, noOriginal, withParent, withOriginal, both, mixed, unknownKind,
			commentRecord(50, ann, 50),
			repostRecord(50, ann, 50),
			feed.Record{},
		)
		w.sampleRecordsAreStored()
	})
	s.empty("the handle of another user, in any case, is refused", func(w *world) {
		w.user(ann)
		taken := userRecord(bob)
		taken.User.Handle = strings.ToUpper(newUser(ann).Handle)
		w.refuseEach("", taken)
		other := userRecord(dee)
		other.User.Handle = "U" + cem.String()
		got := w.imports(records(userRecord(cem), other))
		w.same("the refused lines", lines(got.Bad), []int{2})
		w.same("the users", w.usersOf(bob, cem, dee), []*feed.User{nil, newUser(cem), nil})
	})
	s.empty("a refused record does not stop the batch, and the result has its line", func(w *world) {
		batch := []feed.Record{postRecord(1, ann), userRecord(ann), followRecord(ann, missing), postRecord(1, ann), userRecord(ann)}
		for i := range batch {
			batch[i].Line = 1000 * (i + 1)
		}
		got := w.imports(batch)
		w.same("the refused lines", lines(got.Bad), []int{1000, 3000})
		w.same("the numbers of stored and unchanged records", []int{got.Stored, got.Unchanged}, []int{2, 1})
	})
	s.empty("a refused record changes nothing", func(w *world) {
		w.imports(sampleRecords())
		before := []feed.ViewerVersion{w.viewerVersion(ann), w.viewerVersion(bob), w.viewerVersion(cem)}
		result := w.imports(records(
			followRecord(ann, missing), followRecord(ann, ann), relationRecord(feed.RelationBlock, ann, ann),
			postRecord(10, ann), commentRecord(50, missing, 10), repostRecord(51, missing, 10),
			reactionRecord(feed.ReactionLike, missing, 10),
		))
		w.same("the number of refused records", len(result.Bad), 7)
		w.sampleRecordsAreStored()
		w.same("the refused posts", w.postsOf(50, 51), []*feed.Post{nil, nil})
		w.same("the viewer versions", []feed.ViewerVersion{w.viewerVersion(ann), w.viewerVersion(bob), w.viewerVersion(cem)}, before)
	})
	s.empty("a repost that makes a chain longer than the policy allows is refused", func(w *world) {
		depth := feed.DefaultPolicy().RepostDepth
		batch := chain(depth + 1)
		got := w.imports(batch)
		w.same("the number of stored records", got.Stored, len(batch)-1)
		w.same("the refused lines", lines(got.Bad), []int{len(batch)})
		tooDeep, wide := feed.PostID(depth+2), feed.PostID(depth+3)
		w.refuseEach("", repostRecord(tooDeep, ann, tooDeep-1))
		w.same("the result for another repost of the link before the last", w.imports(records(repostRecord(wide, ann, tooDeep-2))),
			feed.Applied{Stored: 1})
		w.same("the result for a comment on the last link", w.imports(records(commentRecord(77, ann, tooDeep-1))),
			feed.Applied{Stored: 1})
		w.same("the result for a repost of that comment", w.imports(records(repostRecord(78, ann, 77))),
			feed.Applied{Stored: 1})
	})
}

// missing is an id without a record.
const missing = 424242

// refuseEach imports each record alone and checks that the reason of its refusal contains reason.
func (w *world) refuseEach(reason string, rs ...feed.Record) {
	for i, r := range rs {
		r.Line = 700 + i
		got := w.imports([]feed.Record{r})
		if got.Stored != 0 || got.Unchanged != 0 || len(got.Bad) != 1 {
			w.t.Errorf("record %d: got %+v, want one refusal", i, got)
			continue
		}
		refused := got.Bad[0]
		w.same("the line", refused.Line, r.Line)
		w.failIf(refused.Reason == "" || !strings.Contains(refused.Reason, reason),
			"record %d: the reason is %q, want it to contain %q", i, refused.Reason, reason)
	}
}

// lines returns the line numbers of refused records.
func lines(refused []feed.BadRecord) []int {
	var ls []int
	for _, r := range refused {
		ls = append(ls, r.Line)
	}
	return ls
}
