package delta_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

const (
	ann feed.UserID = iota + 1
	bob
	cem
	dee
	noon = 1_700_000_000_000
)

// town is a store with four users, where ann follows bob and cem.
type town struct {
	*sqlstore.Store
	t      *testing.T
	reader *delta.Reader
}

func newTown(t *testing.T) *town {
	s := sqlitetest.New(t, time.Now)
	w := &town{Store: s, t: t, reader: &delta.Reader{
		Log: s, Viewers: &timeline.Direct{Relations: s, Outboxes: s, Posts: s, Primary: s}, Relations: s, Coverage: s, Outboxes: s, Audiences: s,
		Policy: feed.DefaultPolicy(),
	}}
	w.reader.Policy.SyncMax = 10
	for id := ann; id <= dee; id++ {
		fixture.Got(s.EnsureUser(t.Context(), &feed.User{ID: id, Handle: "user" + id.String()})).Must(t)
	}
	w.follow(bob)
	w.follow(cem)
	return w
}

func (w *town) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// publish stores a post, and if repostOf is not 0 a repost. Its fan-out ends at once.
func (w *town) publish(author feed.UserID, id, repostOf feed.PostID) {
	w.t.Helper()
	w.publishUnpushed(author, id, repostOf)
	fixture.Got(w.StorePlan(w.t.Context(), feed.Plan{Post: id, Author: author}, noon)).Must(w.t)
}

func (w *town) publishUnpushed(author feed.UserID, id, repostOf feed.PostID) {
	w.t.Helper()
	p := &feed.Post{ID: id, Author: author, Kind: feed.KindPost, Text: "text", PublishedAt: noon + int64(id)}
	if repostOf != 0 {
		p.Kind, p.RepostOf = feed.KindRepost, repostOf
	}
	fixture.Got(w.Publish(w.t.Context(), p, feed.Idempotency{}, feed.FirstDispatch{})).Must(w.t)
}

func (w *town) relate(kind feed.RelationKind, user, target feed.UserID) {
	w.t.Helper()
	w.must(w.Relate(w.t.Context(), feed.RelationRecord{Kind: kind, User: user, Target: target, CreatedAt: noon}))
}

func (w *town) unrelate(kind feed.RelationKind, user, target feed.UserID) {
	w.t.Helper()
	w.must(w.Unrelate(w.t.Context(), kind, user, target))
}

// follow makes ann follow an author.
func (w *town) follow(author feed.UserID) {
	w.t.Helper()
	w.must(w.Follow(w.t.Context(), ann, author, noon, 9, feed.FollowChoice{}))
}

func (w *town) edit(id feed.PostID, text string) {
	w.t.Helper()
	fixture.Got(w.Edit(w.t.Context(), id, feed.PostEdit{Text: new(text), At: noon})).Must(w.t)
}

func (w *town) delete(id feed.PostID) {
	w.t.Helper()
	w.must(w.Delete(w.t.Context(), id, noon))
}

// token returns ann's token of now.
func (w *town) token(filter ...feed.Filter) string {
	w.t.Helper()
	w.number()
	last := fixture.Got(w.LastChange(w.t.Context())).Must(w.t)
	return feed.SyncToken{Viewer: ann, Filter: append(filter, feed.Filter{})[0], Place: last}.String()
}

// changes returns a page of ann's changes as text.
func (w *town) changes(q feed.HomeChangeQuery) (string, *feed.HomeChangePage) {
	w.t.Helper()
	w.number()
	page := fixture.Got(w.reader.Changes(w.t.Context(), ann, q)).Must(w.t)
	var all []string
	for _, c := range page.Changes {
		all = append(all, named(c.Kind, int64(c.ID)))
	}
	return strings.Join(all, ", "), page
}

// since fails the test unless the changes since a token are want.
func (w *town) since(token, want string) {
	w.t.Helper()
	if got, _ := w.changes(feed.HomeChangeQuery{Since: token}); got != want {
		w.t.Errorf("got %q, want %q", got, want)
	}
}

func TestChanges_NameWhatArrivedAndChanged(t *testing.T) {
	w := newTown(t)
	w.publish(bob, 1, 0)
	w.publish(bob, 2, 0)
	token := w.token()
	w.since(token, "")
	w.publishUnpushed(bob, 3, 0)
	w.since(token, "")
	w.publish(cem, 4, 0)
	w.publish(dee, 5, 0)
	w.publishUnpushed(ann, 6, 0)
	w.edit(1, "other")
	w.delete(2)
	w.since(token, "ADDED 4, ADDED 6, CHANGED 1, REMOVED 2")
	_, page := w.changes(feed.HomeChangeQuery{Since: token})
	fixture.Is(t, "the text of the edited post", page.Changes[2].Entry.Post.Text, "other")
	w.since(page.Token.String(), "")
	w.delete(3)
	token = w.token()
	fixture.Got(w.StorePlan(t.Context(), feed.Plan{Post: 3, Author: bob}, noon)).Must(t)
	w.since(token, "")
}

// What arrives and is hidden by now was never shown, so its id is no news.
func TestChanges_LeaveOutArrivalsThatAreHidden(t *testing.T) {
	w := newTown(t)
	w.publish(dee, 1, 0)
	w.relate(feed.RelationHide, dee, ann)
	w.relate(feed.RelationMute, ann, cem)
	w.publish(cem, 2, 0)
	token := w.token()
	w.publish(cem, 3, 0)
	w.delete(2)
	w.publish(bob, 4, 1)
	w.since(token, "")
	w.publish(bob, 6, 0)
	w.relate(feed.RelationHide, bob, ann)
	w.publish(bob, 5, 0)
	token = w.token()
	w.delete(5)
	w.delete(6)
	w.since(token, "")
}

// The ids of a stranger's posts are no business of the viewer. Muted authors reveal nothing, except
// that their posts are gone.
func TestChanges_RelationNamesPostsAndReposts(t *testing.T) {
	w := newTown(t)
	w.publish(dee, 1, 0)
	w.publish(bob, 2, 0)
	w.publish(cem, 3, 1)
	w.publish(bob, 4, 3)
	w.publish(dee, 5, 1)
	absent := func(is bool) { w.must(w.SetAbsent(t.Context(), []feed.UserID{dee}, is)) }
	for _, step := range []struct {
		what string
		do   func()
		want string
	}{
		{"a block by a stranger", func() { w.relate(feed.RelationBlock, dee, ann) }, "REMOVED 4, REMOVED 3"},
		{"its end", func() { w.unrelate(feed.RelationBlock, dee, ann) }, "ADDED 4, ADDED 3"},
		{"a follow", func() { w.follow(dee) }, "ADDED 5, ADDED 4, ADDED 3, ADDED 1"},
		{"a block", func() { w.relate(feed.RelationBlock, dee, ann) }, "REMOVED 5, REMOVED 4, REMOVED 3, REMOVED 1"},
		{"its end and an unfollow", func() {
			w.unrelate(feed.RelationBlock, dee, ann)
			w.must(w.Unfollow(t.Context(), ann, dee))
		}, "REMOVED 5, ADDED 4, ADDED 3, REMOVED 1"},
		{"an absent author of originals", func() { absent(true) }, "REMOVED 3, REMOVED 4"},
		{"their return", func() { absent(false) }, "ADDED 3, ADDED 4"},
		{"a mute that has ended, and another", func() {
			w.relate(feed.RelationMute, ann, bob)
			w.unrelate(feed.RelationMute, ann, bob)
			w.relate(feed.RelationMute, ann, cem)
		}, "REMOVED 4, ADDED 2, REMOVED 3"},
		{"a deleted account", func() { w.must(w.DeleteAccount(t.Context(), bob, noon)) }, "REMOVED 4, REMOVED 2"},
	} {
		token := w.token()
		step.do()
		t.Run(step.what, func(t *testing.T) { w.since(token, step.want) })
	}
}

func TestChanges_RemoveOnlyPostsSeenBefore(t *testing.T) {
	hide := func(w *town) { w.relate(feed.RelationHide, bob, ann) }
	show := func(w *town) { w.unrelate(feed.RelationHide, bob, ann) }
	for _, c := range []struct {
		what string
		do   func(w *town)
		want string
	}{
		{"posts after a hide", func(w *town) { hide(w); w.publish(bob, 2, 0) }, "REMOVED 1"},
		{"posts between a block and a mute by the viewer", func(w *town) {
			w.relate(feed.RelationBlock, bob, ann)
			w.publish(bob, 2, 0)
			w.relate(feed.RelationMute, ann, bob)
		}, "REMOVED 1"},
		{"posts between two hides with a moment between", func(w *town) {
			hide(w)
			w.publish(bob, 3, 0)
			show(w)
			hide(w)
			w.publish(bob, 2, 0)
		}, "REMOVED 3, REMOVED 1"},
		{"posts between two obstacles, of which one has ended", func(w *town) {
			hide(w)
			w.relate(feed.RelationBlock, bob, ann)
			show(w)
			w.publish(bob, 2, 0)
			w.unrelate(feed.RelationBlock, bob, ann)
			hide(w)
			w.publish(bob, 4, 0)
		}, "REMOVED 2, REMOVED 1"},
		{"posts published and deleted while hidden", func(w *town) {
			hide(w)
			w.publish(bob, 2, 0)
			w.delete(2)
			show(w)
		}, "ADDED 1"},
		{"posts of an account that was deleted", func(w *town) {
			hide(w)
			w.publish(bob, 2, 0)
			w.must(w.DeleteAccount(w.t.Context(), bob, noon))
		}, "REMOVED 1"},
		{"reposts by others", func(w *town) {
			hide(w)
			w.publish(cem, 2, 1)
			w.delete(1)
		}, "REMOVED 1"},
		{"reposts that arrive when their original has gone", func(w *town) {
			w.delete(1)
			w.publish(cem, 2, 1)
			w.publish(ann, 3, 1)
		}, "REMOVED 1, REMOVED 2, REMOVED 3"},
		{"reposts that arrive once the deletion has its rows", func(w *town) { w.delete(1); w.number(); w.publish(cem, 2, 1) }, "REMOVED 1, REMOVED 2"},
		{"late reposts of an author who has gone", func(w *town) {
			w.must(w.DeleteAccount(w.t.Context(), bob, noon))
			w.publish(cem, 2, 1)
		}, "REMOVED 2, REMOVED 1"},
		{"reposts deleted before their original was shown", func(w *town) { hide(w); w.publish(cem, 2, 1); w.delete(2); show(w) }, "REMOVED 2, ADDED 1"},
		{"late reposts while hidden", func(w *town) { hide(w); w.delete(1); w.publish(cem, 2, 1) }, "REMOVED 1"},
	} {
		t.Run(c.what, func(t *testing.T) {
			w := newTown(t)
			w.publish(bob, 1, 0)
			token := w.token()
			c.do(w)
			w.since(token, c.want)
			// Nor does the token of a page say more.
			first := 1
			for more := true; more; {
				got, page := w.changes(feed.HomeChangeQuery{Since: token, First: &first})
				if below := page.Token.Below.ID; below != 0 && !strings.HasSuffix(got, fmt.Sprint(" ", below)) {
					t.Errorf("a page of %q has a token with post %d", got, below)
				}
				token, more = page.Token.String(), page.HasMore
			}
		})
	}
}

func TestChanges_RemovePostsOfPlaceholderThatSignsIn(t *testing.T) {
	w := newTown(t)
	fixture.Got(first3(w.UseUsers(t.Context(), feed.UserModeChange{Want: feed.UsersImplicit}))).Must(t)
	fixture.Got(w.EnsureUser(t.Context(), &feed.User{ID: 9})).Must(t)
	w.follow(9)
	w.publish(9, 1, 0)
	token := w.token()
	w.delete(1)
	fixture.Got(w.EnsureUser(t.Context(), &feed.User{ID: 9, Handle: "nine", Name: "Nine", CreatedAt: noon})).Must(t)
	w.since(token, "REMOVED 1")
}

func first3[A, B any](a A, _ B, err error) (A, error) { return a, err }

func TestChanges_PagesCutARelation(t *testing.T) {
	w := newTown(t)
	w.publish(dee, 20, 0)
	token := w.token()
	for id := feed.PostID(1); id <= 3; id++ {
		w.publish(dee, id, 0)
	}
	w.publish(bob, 4, 2)
	w.follow(dee)
	w.publish(bob, 5, 0)
	first := 2
	q := feed.HomeChangeQuery{Since: token, First: &first}
	for i, want := range []string{"ADDED 4, ADDED 20", "ADDED 3, ADDED 2", "ADDED 1, ADDED 5"} {
		got, page := w.changes(q)
		if more := i < 2; got != want || page.HasMore != more {
			t.Errorf("page %d is %q, more %t; want %q, more %t", i+1, got, page.HasMore, want, more)
		}
		q.Since = page.Token.String()
	}
	w.since(q.Since, "")
}

// Rows of one post make one change, so the limit of rows ends a page before that of changes.
func TestChanges_SayThatFurtherRowsFollow(t *testing.T) {
	w := newTown(t)
	w.publish(bob, 1, 0)
	token := w.token()
	for n := range 2000 {
		w.edit(1, fmt.Sprint("edit ", n))
	}
	w.publish(bob, 2, 0)
	got, page := w.changes(feed.HomeChangeQuery{Since: token})
	if got != "CHANGED 1" || !page.HasMore {
		t.Errorf("the first page is %q, has more: %t", got, page.HasMore)
	}
	w.since(page.Token.String(), "ADDED 2")
}

func TestChanges_DownToLeavesOutWhatIsBelow(t *testing.T) {
	w := newTown(t)
	for id := feed.PostID(11); id <= 30; id++ {
		w.publish(dee, id, 0)
	}
	w.publish(bob, 40, 25)
	w.publish(bob, 10, 0)
	oldest := feed.HomeCursor(&feed.Post{ID: 28, PublishedAt: noon + 28})
	token := w.token()
	w.follow(dee)
	w.delete(10)
	got, _ := w.changes(feed.HomeChangeQuery{Since: token, DownTo: oldest})
	fixture.Is(t, "the changes", got, "ADDED 40, ADDED 30, ADDED 29, ADDED 28")
	w.since(token, "RESET")
}

func TestChanges_AreOfTheKindsOfTheToken(t *testing.T) {
	w := newTown(t)
	token := w.token(feed.OfKinds(feed.KindRepost))
	w.publish(bob, 1, 0)
	w.publish(cem, 2, 1)
	w.delete(1)
	got, _ := w.changes(feed.HomeChangeQuery{Since: token, Filter: feed.OfKinds(feed.KindRepost)})
	fixture.Is(t, "the changes", got, "REMOVED 2")
	_, err := w.reader.Changes(t.Context(), ann, feed.HomeChangeQuery{Since: token})
	if feed.CodeOf(err) != feed.CodeBadCursor {
		t.Errorf("the token for all kinds: %v", err)
	}
}

func TestChanges_ResetWhenTheLogCannotTell(t *testing.T) {
	for name, lose := range map[string]func(w *town) error{
		"too many posts": func(w *town) error {
			for id := feed.PostID(1); id <= 11; id++ {
				w.publish(bob, id, 0)
			}
			return nil
		},
		"a new epoch":      func(w *town) error { return w.NewEpoch(w.t.Context()) },
		"a new generation": func(w *town) error { return w.RaiseGeneration(w.t.Context()) },
		"a trimmed log": func(w *town) error {
			w.publish(bob, 1, 0)
			_, err := w.TrimChanges(w.t.Context(), feed.Millis(time.Now().Add(time.Hour)), 100)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			token := w.token()
			w.must(lose(w))
			w.since(token, "RESET")
			if n, known, err := w.reader.NewCount(t.Context(), ann, feed.HomeChangeQuery{Since: token}, 0); n != w.reader.Policy.CountMax || known || err != nil {
				t.Errorf("the count of new posts is %d, known %t, %v", n, known, err)
			}
			_, page := w.changes(feed.HomeChangeQuery{Since: token})
			w.since(page.Token.String(), "")
		})
	}
}

func TestChanges_RefuseWhatTheyCannotRead(t *testing.T) {
	w := newTown(t)
	token := w.token()
	negative, many := -1, 101
	for _, c := range []struct {
		name   string
		viewer feed.UserID
		q      feed.HomeChangeQuery
		want   feed.Code
	}{
		{"the anonymous viewer", 0, feed.HomeChangeQuery{Since: token}, feed.CodeUnauthenticated},
		{"another viewer", bob, feed.HomeChangeQuery{Since: token}, feed.CodeBadCursor},
		{"no token", ann, feed.HomeChangeQuery{}, feed.CodeBadCursor},
		{"a cursor", ann, feed.HomeChangeQuery{Since: feed.HomeCursor(&feed.Post{ID: 1})}, feed.CodeBadCursor},
		{"a token as downTo", ann, feed.HomeChangeQuery{Since: token, DownTo: token}, feed.CodeBadCursor},
		{"a negative page size", ann, feed.HomeChangeQuery{Since: token, First: &negative}, feed.CodeBadInput},
		{"a page that is too long", ann, feed.HomeChangeQuery{Since: token, First: &many}, feed.CodeBadInput},
	} {
		if _, err := w.reader.Changes(t.Context(), c.viewer, c.q); feed.CodeOf(err) != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestSyncToken_RoundTrips(t *testing.T) {
	for _, token := range []feed.SyncToken{
		{Viewer: 7, Place: feed.ChangePlace{Epoch: 1 << 62, Number: 0}},
		{Viewer: 7, Filter: feed.OfKinds(feed.KindComment), Place: feed.ChangePlace{Epoch: 1, Number: 9}, Below: feed.Key{TS: 5, ID: 6}},
		{Viewer: 7, Filter: feed.OfKinds(feed.KindComment).WithMedia(true), Place: feed.ChangePlace{Epoch: 1, Number: 9}, Below: feed.Key{TS: 5, ID: 6}},
		{Viewer: 7, Filter: feed.Filter{}.InLanguages("en"), Place: feed.ChangePlace{Epoch: 1, Number: 9}},
	} {
		got, err := feed.ParseSyncToken(token.String(), 7, feed.HomeAuthors, token.Filter)
		if err != nil || got.String() != token.String() || got.Place != token.Place || got.Below != token.Below || got.Filter != token.Filter {
			t.Errorf("%+v is read as %+v, %v", token, got, err)
		}
	}
	whole := feed.SyncToken{Viewer: 7, Place: feed.ChangePlace{Epoch: 1, Number: 9}}.String()
	for _, bad := range []string{"", "?", whole[:len(whole)-4], whole + "AAAA", whole + "\n", "AQoH"} {
		if _, err := feed.ParseSyncToken(bad, 7, feed.HomeAuthors, feed.Filter{}); feed.CodeOf(err) != feed.CodeBadCursor {
			t.Errorf("%q is accepted: %v", bad, err)
		}
	}
	if _, err := feed.ParseCursor(whole, feed.FeedHome); feed.CodeOf(err) != feed.CodeBadCursor {
		t.Errorf("a token is accepted as a cursor: %v", err)
	}
}

// manyPosts is a log in which dee has published posts 1 to 100,000, and counts what is read of them.
type manyPosts struct {
	feed.ChangeLog
	read *int
}

func (l manyPosts) PostsOf(ctx context.Context, author feed.UserID, r feed.Range) ([]feed.Key, error) {
	if author != dee {
		return l.ChangeLog.PostsOf(ctx, author, r)
	}
	var keys []feed.Key
	for id := feed.PostID(100_000); id > 0 && len(keys) < r.Limit; id-- {
		key := feed.Key{TS: noon + int64(id), ID: int64(id)}
		if key.Compare(r.Above) > 0 && key.Compare(r.Below) < 0 {
			keys = append(keys, key)
		}
	}
	*l.read += len(keys)
	return keys, nil
}

// A follow of an author with many posts reads no more of them than a page may name.
func TestChanges_OfManyPostsReadFew(t *testing.T) {
	w, read := newTown(t), 0
	w.reader.Log = manyPosts{w.Store, &read}
	for id := feed.PostID(99_996); id <= 100_000; id++ {
		w.publish(dee, id, 0)
	}
	token := w.token()
	w.follow(dee)
	w.since(token, "RESET")
	oldest := feed.HomeCursor(&feed.Post{ID: 99_998, PublishedAt: noon + 99_998})
	if got, _ := w.changes(feed.HomeChangeQuery{Since: token, DownTo: oldest}); got != "ADDED 100000, ADDED 99999, ADDED 99998" {
		t.Errorf("down to a cursor the changes are %q", got)
	}
	if most := 2 * (w.reader.Policy.SyncMax + 1); read > most {
		t.Errorf("%d of 100,000 posts were read, want at most %d", read, most)
	}
}
