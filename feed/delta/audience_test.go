package delta_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// answer stores a comment by bob, a followee of ann, on a post by dee, with the audience of that post.
func (w *town) answer(id, to feed.PostID, audience feed.PostAudience) {
	w.t.Helper()
	w.answerOf(bob, dee, id, to, audience)
}

// answerOf is answer with another author and audience author.
func (w *town) answerOf(author, of feed.UserID, id, to feed.PostID, audience feed.PostAudience) {
	w.t.Helper()
	p := &feed.Post{
		ID: id, Author: author, Kind: feed.KindComment, Text: "text", ReplyTo: to, Audience: audience, AudienceAuthor: of, PublishedAt: noon + int64(id),
	}
	fixture.Got(w.Publish(w.t.Context(), p, feed.Idempotency{}, feed.FirstDispatch{})).Must(w.t)
	fixture.Got(w.StorePlan(w.t.Context(), feed.Plan{Post: id, Author: author}, noon)).Must(w.t)
}

// share stores a repost by cem, a followee of ann, of a post by dee for everyone.
func (w *town) share(id, original feed.PostID) {
	w.t.Helper()
	w.shareAs(dee, id, original)
}

// shareAs is share with another audience author.
func (w *town) shareAs(of feed.UserID, id, original feed.PostID) {
	w.t.Helper()
	p := &feed.Post{ID: id, Author: cem, Kind: feed.KindRepost, RepostOf: original, AudienceAuthor: of, PublishedAt: noon + int64(id)}
	fixture.Got(w.Publish(w.t.Context(), p, feed.Idempotency{}, feed.FirstDispatch{})).Must(w.t)
	fixture.Got(w.StorePlan(w.t.Context(), feed.Plan{Post: id, Author: cem}, noon)).Must(w.t)
}

func (w *town) post(author feed.UserID, id feed.PostID, audience feed.PostAudience) {
	w.t.Helper()
	p := &feed.Post{ID: id, Author: author, Kind: feed.KindPost, Text: "text", Audience: audience, AudienceAuthor: author, PublishedAt: noon + int64(id)}
	fixture.Got(w.Publish(w.t.Context(), p, feed.Idempotency{}, feed.FirstDispatch{})).Must(w.t)
	fixture.Got(w.StorePlan(w.t.Context(), feed.Plan{Post: id, Author: author}, noon)).Must(w.t)
}

func (w *town) private(user feed.UserID, private bool) {
	w.t.Helper()
	fixture.Got(w.UpdateProfile(w.t.Context(), user, feed.ProfileChange{Private: &private})).Must(w.t)
}

func (w *town) unfollow(author feed.UserID) {
	w.t.Helper()
	w.must(w.Unfollow(w.t.Context(), ann, author))
}

type audienceStep struct {
	what string
	do   func()
	want string
}

func (w *town) steps(steps []audienceStep) {
	w.t.Helper()
	for _, step := range steps {
		token := w.token()
		step.do()
		if got, _ := w.changes(feed.HomeChangeQuery{Since: token}); got != step.want {
			w.t.Errorf("%s: got %q, want %q", step.what, got, step.want)
		}
	}
}

// Posts by others that a user's audience rules are named when it changes, and only to those who could see
// them with the change undone.
func TestChanges_NameWhatAudiencesHideAndShow(t *testing.T) {
	w := newTown(t)
	w.post(dee, 1, feed.AudiencePublic)
	w.post(dee, 2, feed.AudienceFollowers)
	w.answer(3, 1, feed.AudiencePublic)
	w.answer(4, 2, feed.AudienceFollowers)
	w.share(5, 1)
	w.steps([]audienceStep{
		{"an account becomes private", func() { w.private(dee, true) }, "REMOVED 3, REMOVED 5"},
		{"a request", func() { w.follow(dee) }, ""},
		{"its acceptance", func() { w.must(w.AcceptFollow(t.Context(), dee, ann, noon)) }, "ADDED 5, ADDED 4, ADDED 3, ADDED 2, ADDED 1"},
		{"its end", func() { w.unfollow(dee) }, "REMOVED 5, REMOVED 4, REMOVED 3, REMOVED 2, REMOVED 1"},
		{"the account becomes public", func() { w.private(dee, false) }, "ADDED 3, ADDED 5"},
		{"a follow of the public account", func() { w.follow(dee) }, "ADDED 5, ADDED 4, ADDED 3, ADDED 2, ADDED 1"},
		{"an absence of it", func() { w.absent(dee, true) }, "REMOVED 5, REMOVED 2, REMOVED 1, REMOVED 4"},
	})
}

// Nothing is named that the viewer could never see.
func TestChanges_KeepFollowersPostsSecret(t *testing.T) {
	w := newTown(t)
	w.post(dee, 1, feed.AudienceFollowers)
	w.answer(2, 1, feed.AudienceFollowers)
	w.steps([]audienceStep{
		{"a deletion of a hidden comment", func() { w.delete(2) }, ""},
		{"a block by the stranger", func() { w.relate(feed.RelationBlock, dee, ann) }, ""},
		{"its end", func() { w.unrelate(feed.RelationBlock, dee, ann) }, ""},
		{"a flip", func() { w.private(dee, true) }, ""},
		{"the flip back", func() { w.private(dee, false) }, ""},
		{"a follow and its end", func() { w.follow(dee); w.unfollow(dee) }, "REMOVED 1"},
	})
	token := w.token()
	w.post(dee, 3, feed.AudienceFollowers)
	w.answer(4, 3, feed.AudienceFollowers)
	w.relate(feed.RelationBlock, dee, ann)
	w.delete(4)
	w.since(token, "REMOVED 1")
}

// What was deleted while its account was private is not named after it has become public.
func TestChanges_KeepPostsOfPrivateTimesSecret(t *testing.T) {
	w := newTown(t)
	w.private(dee, true)
	w.post(dee, 1, feed.AudiencePublic)
	w.answer(2, 1, feed.AudiencePublic)
	w.post(bob, 3, feed.AudiencePublic)
	w.answerOf(dee, bob, 4, 3, feed.AudiencePublic)
	for _, id := range []feed.PostID{1, 2, 4} {
		w.delete(id)
	}
	w.private(dee, false)
	w.steps([]audienceStep{{"a follow", func() { w.follow(dee) }, ""}})
}

// Reposts that name another audience author than their original are named too.
func TestChanges_NameSharesOfWhatAudiencesHide(t *testing.T) {
	w := newTown(t)
	w.post(dee, 1, feed.AudiencePublic)
	w.answer(2, 1, feed.AudiencePublic)
	w.post(dee, 3, feed.AudienceFollowers)
	w.answer(4, 3, feed.AudienceFollowers)
	w.shareAs(cem, 5, 1)
	w.shareAs(cem, 6, 2)
	w.shareAs(cem, 7, 5)
	w.shareAs(cem, 8, 4)
	w.steps([]audienceStep{
		{"an account becomes private", func() { w.private(dee, true) }, "REMOVED 5, REMOVED 2, REMOVED 6, REMOVED 7"},
		{"the account becomes public", func() { w.private(dee, false) }, "ADDED 5, ADDED 2, ADDED 6, ADDED 7"},
		{"a follow", func() { w.follow(dee) }, "ADDED 8, ADDED 7, ADDED 6, ADDED 5, ADDED 4, ADDED 3, ADDED 2, ADDED 1"},
		{"an absence", func() { w.absent(dee, true) }, "REMOVED 7, REMOVED 5, REMOVED 3, REMOVED 1, REMOVED 4, REMOVED 8"},
	})
}

// Followers, who do not see that an account is private, see that it returns at the same time.
func TestChanges_NameAudiencesThatReturnAsPrivate(t *testing.T) {
	w := newTown(t)
	w.post(dee, 1, feed.AudienceFollowers)
	w.answer(2, 1, feed.AudienceFollowers)
	w.shareAs(cem, 3, 2)
	w.follow(dee)
	w.absent(dee, true)
	w.steps([]audienceStep{{"a return", func() { w.absent(dee, false); w.private(dee, true) }, "ADDED 1, ADDED 3, ADDED 2"}})
}

func (w *town) absent(user feed.UserID, is bool) {
	w.t.Helper()
	w.must(w.SetAbsent(w.t.Context(), []feed.UserID{user}, is))
}

func (w *town) impose(of feed.Subject) {
	w.t.Helper()
	w.must(w.Impose(w.t.Context(), feed.Sanction{Subject: of, Reason: "spam", At: noon}))
}

func (w *town) lift(of feed.Subject) {
	w.t.Helper()
	w.must(w.Lift(w.t.Context(), of, noon, "mod"))
}

// Sanctions remove and add posts and their reposts, except for their author.
func TestChanges_NameWhatSanctionsHideAndShow(t *testing.T) {
	w := newTown(t)
	w.post(dee, 1, feed.AudiencePublic)
	w.post(bob, 2, feed.AudiencePublic)
	w.post(ann, 3, feed.AudiencePublic)
	w.share(5, 1)
	users := func(user feed.UserID) feed.Subject { return feed.Subject{User: user} }
	posts := func(post feed.PostID) feed.Subject { return feed.Subject{Post: post} }
	w.steps([]audienceStep{
		{"a takedown of a followee's post", func() { w.impose(posts(2)) }, "REMOVED 2"},
		{"its restoration", func() { w.lift(posts(2)) }, "ADDED 2"},
		{"a takedown of a stranger's post", func() { w.impose(posts(1)) }, "REMOVED 5"},
		{"its restoration", func() { w.lift(posts(1)) }, "ADDED 5"},
		{"a suspended followee", func() { w.impose(users(bob)) }, "REMOVED 2"},
		{"their restoration", func() { w.lift(users(bob)) }, "ADDED 2"},
		{"a suspended stranger", func() { w.impose(users(dee)) }, "REMOVED 5"},
		{"their restoration", func() { w.lift(users(dee)) }, "ADDED 5"},
		{"a takedown of an own post", func() { w.impose(posts(3)) }, "CHANGED 3"},
		{"its restoration", func() { w.lift(posts(3)) }, "CHANGED 3"},
		{"an own suspension", func() { w.impose(users(ann)) }, ""},
	})
}

// What a sanction has hidden from its beginning is not named.
func TestChanges_KeepSanctionedPostsSecret(t *testing.T) {
	w := newTown(t)
	w.impose(feed.Subject{User: bob})
	// The log does not tell when the suspension began.
	fixture.Got(w.TrimChanges(t.Context(), feed.Millis(time.Now().Add(time.Hour)), 100)).Must(t)
	w.steps([]audienceStep{
		{"a post by a suspended user", func() { w.post(bob, 1, feed.AudiencePublic) }, ""},
		{"a repost of it", func() { w.share(2, 1) }, ""},
		{"its deletion", func() { w.delete(1) }, ""},
		{"the end of the suspension", func() { w.lift(feed.Subject{User: bob}) }, ""},
		{"a takedown of a hidden post", func() { w.post(dee, 3, feed.AudienceFollowers); w.impose(feed.Subject{Post: 3}) }, ""},
		{"an audience for followers, and a follow", func() { w.follow(dee) }, ""},
		{"its restoration", func() { w.lift(feed.Subject{Post: 3}) }, "ADDED 3"},
	})
}
