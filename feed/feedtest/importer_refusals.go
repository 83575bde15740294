package feedtest

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// importRefusals checks which records [feed.Applier] refuses.
func importRefusals(t *testing.T, open func(t *testing.T) Stores) {
	keep(t, open, []promise{
		{"a record that names an unknown object is refused by its id", refuseUnknown},
		{"a record may name what is earlier in its batch, and not what is later", refuseLater},
		{"a record that contradicts the store or itself is refused", refuseContradictions},
		{"a handle that another id has, in any case, is refused", refuseHandles},
		{"a refused record stops nothing, and is named by its line", refuseByLine},
		{"a refused record leaves no trace", refuseNoTrace},
		{"a chain of reposts is refused from one above the policy's depth", refuseChain},
	})
}

// missing is an id without a record.
const missing = 424242

// refuseEach imports each record alone and checks that the reason of its refusal contains reason.
func (w *world) refuseEach(reason string, rs ...feed.Record) {
	w.t.Helper()
	for i, r := range rs {
		r.Line = 700 + i
		got := w.imports([]feed.Record{r})
		if got.Stored != 0 || got.Unchanged != 0 || len(got.Bad) != 1 {
			w.t.Errorf("record %d: got %+v, want one refusal", i, got)
			continue
		}
		refused := got.Bad[0]
		w.same("the line", refused.Line, r.Line)
		if refused.Reason == "" || !strings.Contains(refused.Reason, reason) {
			w.t.Errorf("record %d: the reason %q does not tell %q", i, refused.Reason, reason)
		}
	}
}

func refuseUnknown(w *world) {
	w.imports(town())
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
}

func refuseLater(w *world) {
	batch := records(
		userRecord(ann), followRecord(ann, bob), userRecord(bob), followRecord(ann, bob),
		commentRecord(2, ann, 1), postRecord(1, ann), commentRecord(2, ann, 1),
	)
	got := w.imports(batch)
	w.same("the records stored", got.Stored, 5)
	w.same("the lines refused", lines(got.Bad), []int{2, 5})
	w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Following: 1, Posts: 2})
}

// lines returns the line numbers of refused records.
func lines(refused []feed.BadRecord) []int {
	var ls []int
	for _, r := range refused {
		ls = append(ls, r.Line)
	}
	return ls
}

func refuseContradictions(w *world) {
	w.imports(town())
	unanswered, unrepeated := commentRecord(50, ann, 0), repostRecord(50, ann, 0)
	answering, repeating := postRecord(50, ann), postRecord(50, ann)
	answering.Post.ReplyTo, repeating.Post.RepostOf = 10, 10
	both, mixed := commentRecord(50, ann, 10), repostRecord(50, ann, 10)
	both.Post.RepostOf, mixed.Post.ReplyTo = 10, 10
	unheard := postRecord(50, ann)
	unheard.Post.Kind = "VIDEO"
	w.refuseEach("",
		followRecord(ann, ann),
		relationRecord(feed.RelationMute, ann, ann),
		relationRecord("envy", ann, bob),
		reactionRecord("shrug", ann, 10),
		postRecord(10, ann), // It is bob's.
		unanswered, unrepeated, answering, repeating, both, mixed, unheard,
		commentRecord(50, ann, 50),
		repostRecord(50, ann, 50),
		feed.Record{},
	)
	w.townStands()
}

func refuseHandles(w *world) {
	w.user(ann)
	taken := userRecord(bob)
	taken.User.Handle = strings.ToUpper(newUser(ann).Handle)
	w.refuseEach("", taken)
	other := userRecord(dee)
	other.User.Handle = "U" + cem.String()
	got := w.imports(records(userRecord(cem), other))
	w.same("the lines refused", lines(got.Bad), []int{2})
	w.same("the users", w.usersOf(bob, cem, dee), []*feed.User{nil, newUser(cem), nil})
}

func refuseByLine(w *world) {
	batch := []feed.Record{postRecord(1, ann), userRecord(ann), followRecord(ann, missing), postRecord(1, ann), userRecord(ann)}
	for i := range batch {
		batch[i].Line = 1000 * (i + 1)
	}
	got := w.imports(batch)
	w.same("the lines refused", lines(got.Bad), []int{1000, 3000})
	w.same("the records stored and known", []int{got.Stored, got.Unchanged}, []int{2, 1})
}

func refuseNoTrace(w *world) {
	w.imports(town())
	before := []feed.ViewerVersion{w.stamp(ann), w.stamp(bob), w.stamp(cem)}
	result := w.imports(records(
		followRecord(ann, missing), followRecord(ann, ann), relationRecord(feed.RelationBlock, ann, ann),
		postRecord(10, ann), commentRecord(50, missing, 10), repostRecord(51, missing, 10),
		reactionRecord(feed.ReactionLike, missing, 10),
	))
	w.same("the records refused", len(result.Bad), 7)
	w.townStands()
	w.same("the contents refused", w.postsOf(50, 51), []*feed.Post{nil, nil})
	w.same("the stamps", []feed.ViewerVersion{w.stamp(ann), w.stamp(bob), w.stamp(cem)}, before)
}

func refuseChain(w *world) {
	depth := feed.DefaultPolicy().RepostDepth
	batch := chain(depth + 1)
	got := w.imports(batch)
	w.same("the records stored", got.Stored, len(batch)-1)
	w.same("the lines refused", lines(got.Bad), []int{len(batch)})
	tooDeep, wide := feed.PostID(depth+2), feed.PostID(depth+3)
	w.refuseEach("", repostRecord(tooDeep, ann, tooDeep-1))
	w.same("the result for one on the same link", w.imports(records(repostRecord(wide, ann, tooDeep-2))),
		feed.Applied{Stored: 1})
	w.same("the result for a comment on the end", w.imports(records(commentRecord(77, ann, tooDeep-1))),
		feed.Applied{Stored: 1})
	w.same("the result for a repost of that comment", w.imports(records(repostRecord(78, ann, 77))),
		feed.Applied{Stored: 1})
}
