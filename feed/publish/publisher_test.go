package publish_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/publish"
)

// The users of the tests.
const (
	ann       = fixture.Ann
	bob       = fixture.Bob
	cem       = fixture.Cem
	star      = fixture.Star
	moon      = fixture.Moon
	anonymous = fixture.Anonymous
)

func TestPublish_NamesInvalidField(t *testing.T) {
	v := fixture.New(t)
	v.Post(star, 1, 2)
	v.Post(moon, 3)
	v.Delete(star, 2)
	v.Relate(feed.RelationBlock, moon, ann)
	p, now := v.Policy, v.Clock.Millis()
	url := func(n int) string {
		return "https://tide.example/" + strings.Repeat("x", n-len("https://tide.example/"))
	}
	media := func(m ...string) publish.Draft { return publish.Draft{Media: m} }
	for name, c := range map[string]struct {
		draft publish.Draft
		code  feed.Code
		field string
	}{
		"no text":                      {publish.Draft{}, feed.CodeInvalid, "text"},
		"blank text":                   {publish.Draft{Text: " \n\t\u00a0"}, feed.CodeInvalid, "text"},
		"invisible text":               {publish.Draft{Text: "\u200b\u2060\u00ad\ufe0f"}, feed.CodeInvalid, "text"},
		"text of fillers":              {publish.Draft{Text: "\u3164\u2800"}, feed.CodeInvalid, "text"},
		"an invisible comment":         {publish.Draft{Text: "\u200d", ReplyTo: 1}, feed.CodeInvalid, "text"},
		"no text under a comment":      {publish.Draft{ReplyTo: 1}, feed.CodeInvalid, "text"},
		"text that is not UTF-8":       {publish.Draft{Text: "a\xff"}, feed.CodeInvalid, "text"},
		"text with NUL":                {publish.Draft{Text: "a\x00"}, feed.CodeInvalid, "text"},
		"text that is too long":        {publish.Draft{Text: strings.Repeat("ä", p.TextMax+1)}, feed.CodeTooLong, "text"},
		"too many media":               {media(slices.Repeat([]string{url(40)}, p.MediaMax+1)...), feed.CodeTooLong, "media"},
		"media over http":              {media("http://tide.example/a"), feed.CodeInvalid, "media"},
		"media that are relative":      {media("/a"), feed.CodeInvalid, "media"},
		"media without a host":         {media("https:///a"), feed.CodeInvalid, "media"},
		"media with a password":        {media("https://a:b@tide.example/"), feed.CodeInvalid, "media"},
		"media that are no URL":        {media("https://tide.example/%zz"), feed.CodeInvalid, "media"},
		"media that are scripts":       {media("javascript:alert(1)"), feed.CodeInvalid, "media"},
		"a URL that is too long":       {media(url(p.URLMax + 1)), feed.CodeTooLong, "media"},
		"a language that is too long":  {publish.Draft{Text: "a", Language: "en-x-" + strings.Repeat("a", 31)}, feed.CodeTooLong, "language"},
		"a language that is no tag":    {publish.Draft{Text: "a", Language: "Portuguese (Brazil)"}, feed.CodeInvalid, "language"},
		"that of records of reposts":   {publish.Draft{RepostOf: 1, Language: "*"}, feed.CodeInvalid, "language"},
		"a key that is too long":       {publish.Draft{Text: "a", IdempotencyKey: strings.Repeat("k", 129)}, feed.CodeInvalid, "idempotencyKey"},
		"a key with NUL":               {publish.Draft{Text: "a", IdempotencyKey: "\x00"}, feed.CodeInvalid, "idempotencyKey"},
		"a time to come":               {publish.Draft{Text: "a", PublishedAt: new(now + 1)}, feed.CodeInvalid, "publishedAt"},
		"a time before 1970":           {publish.Draft{Text: "a", PublishedAt: new(int64(-1))}, feed.CodeInvalid, "publishedAt"},
		"an answer and a repost":       {publish.Draft{Text: "a", ReplyTo: 1, RepostOf: 1}, feed.CodeInvalid, "repostOf"},
		"an answer to nothing":         {publish.Draft{Text: "a", ReplyTo: 99}, feed.CodeNotFound, "replyTo"},
		"an answer to what is deleted": {publish.Draft{Text: "a", ReplyTo: 2}, feed.CodeNotFound, "replyTo"},
		"a repost of what is hidden":   {publish.Draft{RepostOf: 3}, feed.CodeNotFound, "repostOf"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := v.Publisher.Publish(t.Context(), ann, c.draft)
			fixture.Service{T: t, Service: v.Service}.Refused(err, c.code, c.field)
		})
	}
	fixture.Same(t, "what ann has published after all", v.Home(ann))
}

func TestPublish_BareRepostsInheritFields(t *testing.T) {
	v := fixture.New(t)
	media := []string{"https://tide.example/a"}
	v.Publish(star, 1, publish.Draft{Text: "chá", Language: "pt-BR", Media: media})
	v.Publish(star, 2, publish.Draft{Text: "chá"})
	v.Publish(star, 10, publish.Draft{RepostOf: 1})
	for id, c := range map[feed.PostID]struct {
		draft    publish.Draft
		language string
		hasMedia bool
	}{
		3: {publish.Draft{RepostOf: 1}, "pt-BR", true},
		4: {publish.Draft{RepostOf: 1, Media: media}, "pt-BR", true},
		5: {publish.Draft{RepostOf: 1, Language: "en"}, "en", true},
		6: {publish.Draft{RepostOf: 1, Text: "look"}, "", false},
		7: {publish.Draft{ReplyTo: 1, Text: "where?"}, "", false},
		8: {publish.Draft{RepostOf: 2}, "", false},
		9: {publish.Draft{RepostOf: 10}, "pt-BR", true},
	} {
		if got := v.Publish(ann, id, c.draft); got.Language != c.language || got.HasMedia() != c.hasMedia {
			t.Errorf("%+v has the language %q and media: %t; want %q and %t", c.draft, got.Language, got.HasMedia(), c.language, c.hasMedia)
		}
	}
}

func TestPublish_AcceptsDraftsAtTheLimits(t *testing.T) {
	v := fixture.New(t)
	v.Post(star, 1)
	now := v.Clock.Millis()
	url := "https://tide.example/" + strings.Repeat("x", v.Policy.URLMax-len("https://tide.example/"))
	for name, c := range map[string]struct {
		draft publish.Draft
		kind  feed.Kind
		at    int64
	}{
		"the longest text":            {publish.Draft{Text: strings.Repeat("ä", v.Policy.TextMax)}, feed.KindPost, now},
		"media without text":          {publish.Draft{Media: slices.Repeat([]string{url}, v.Policy.MediaMax)}, feed.KindPost, now},
		"an answer":                   {publish.Draft{Text: "a", ReplyTo: 1}, feed.KindComment, now},
		"a repost without words":      {publish.Draft{RepostOf: 1}, feed.KindRepost, now},
		"a repost with words":         {publish.Draft{Text: "a", RepostOf: 1}, feed.KindRepost, now},
		"the present":                 {publish.Draft{Text: "a", PublishedAt: &now}, feed.KindPost, now},
		"the beginning of time":       {publish.Draft{Text: "a", PublishedAt: new(int64(0))}, feed.KindPost, 0},
		"the longest idempotency key": {publish.Draft{Text: "a", IdempotencyKey: strings.Repeat("k", 128)}, feed.KindPost, now},
	} {
		got := fixture.Got(v.Publisher.Publish(t.Context(), ann, c.draft)).Must(t)
		if got.Kind != c.kind || got.PublishedAt != c.at || got.Author != ann || got.Text != c.draft.Text ||
			!slices.Equal(got.Media, c.draft.Media) || got.ReplyTo != c.draft.ReplyTo || got.RepostOf != c.draft.RepostOf {
			t.Errorf("%s: %+v was published as %+v", name, c.draft, got)
		}
	}
}

func TestPublish_AcceptedWithoutQueue(t *testing.T) {
	for mode, task := range map[feed.FanoutMode]feedtest.Task{
		feed.FanoutPush: {Push: feed.SliceRef{Post: 1}}, feed.FanoutPull: {Dispatch: 1},
	} {
		v := fixture.New(t, func(p *feed.Policy) { p.Fanout = mode })
		failures := 0
		v.Publisher.Trace.EnqueueFailed = func(error) { failures++ }
		v.Queue.Err = errors.New("the queue is down")
		v.Post(ann, 1)
		fixture.Same(t, "ann's home feed", v.Home(ann), 1)
		fixture.Is(t, "the failures reported", failures, 1)
		v.Queue.Err = nil
		v.Clock.Advance(max(v.Policy.EventPatience, v.Policy.QueuePatience))
		v.Must(v.Fanout.Sweep(t.Context()))
		fixture.Same(t, "what the sweeper brings back", v.Queue.Tasks(), task)
	}
}

// One more follower than a subtask serves, or than the push threshold, and a worker plans.
func TestPublish_PlansForSmallAudience(t *testing.T) {
	push, dispatch := feedtest.Task{Push: feed.SliceRef{Post: 1}}, feedtest.Task{Dispatch: 1}
	for name, c := range map[string]struct {
		mode               feed.FanoutMode
		subtask, threshold int
		want               feedtest.Task
	}{
		"in push mode, one subtask":           {feed.FanoutPush, 3, 0, push},
		"in push mode, more":                  {feed.FanoutPush, 2, 9, dispatch},
		"in hybrid mode, one subtask":         {feed.FanoutHybrid, 3, 3, push},
		"in hybrid mode, more":                {feed.FanoutHybrid, 2, 9, dispatch},
		"in hybrid mode, above the threshold": {feed.FanoutHybrid, 9, 2, dispatch},
		"in pull mode":                        {feed.FanoutPull, 9, 9, dispatch},
	} {
		v := fixture.New(t, func(p *feed.Policy) { p.Fanout, p.SliceSize, p.PushThreshold = c.mode, c.subtask, c.threshold })
		v.AddFollowers(star, ann, bob, cem)
		v.Queue.Lose()
		v.Publisher.Recorder = nil // it enqueues a warm-up
		v.Post(star, 1)
		fixture.Same(t, name, v.Queue.Tasks(), c.want)
	}
}

func TestPublish_RetriesTakenID(t *testing.T) {
	v := fixture.New(t)
	v.Post(star, 1)
	v.IDs = []feed.PostID{1, 1, 2}
	got, err := v.Publisher.Publish(t.Context(), ann, publish.Draft{Text: "a"})
	if v.Must(err); got.ID != 2 {
		t.Errorf("the post has id %d, want 2", got.ID)
	}
	v.IDs = []feed.PostID{1, 1, 1}
	if _, err = v.Publisher.Publish(t.Context(), ann, publish.Draft{Text: "b"}); feed.CodeOf(err) != feed.CodeInternal {
		t.Errorf("after three taken ids, the error is %v", err)
	}
	broken := errors.New("no entropy")
	v.Publisher.NewID = func() (feed.PostID, error) { return 0, broken }
	fixture.Got(v.Publisher.Publish(t.Context(), ann, publish.Draft{Text: "c"})).Fails(t, broken)
}

func TestRetry_PublishesOnce(t *testing.T) {
	v := fixture.New(t)
	draft := publish.Draft{Text: "a", IdempotencyKey: "key"}
	first := v.Publish(ann, 1, draft)
	again := v.Publish(ann, 2, draft)
	if again.ID != first.ID || again.PublishedAt != first.PublishedAt {
		t.Errorf("the second publish returned %+v, not the first one's %+v", again, first)
	}
	fixture.Same(t, "ann's home feed", v.Home(ann), 1)

	for _, other := range []publish.Draft{
		{Text: "b", IdempotencyKey: "key"},
		{Text: "a", Media: []string{"https://tide.example/a"}, IdempotencyKey: "key"},
		{Text: "a", RepostOf: 1, IdempotencyKey: "key"},
		{Text: "a", PublishedAt: new(int64(5)), IdempotencyKey: "key"},
	} {
		fixture.Got(v.Publisher.Publish(t.Context(), ann, other)).Refused(v, feed.CodeConflict, "idempotencyKey")
	}
	v.Publish(bob, 3, draft)
	fixture.Same(t, "bob's home feed", v.Home(bob), 3)
	v.Clock.Advance(v.Policy.IdempotencyFor + time.Minute)
	v.Publish(ann, 4, draft)
	fixture.Same(t, "ann's home feed when the key is forgotten", v.Home(ann), 4, 1)
}

func TestRetry_ReturnsFirstResultWithoutTarget(t *testing.T) {
	v := fixture.New(t)
	v.Publish(ann, 1, publish.Draft{Text: "question"})
	answer := publish.Draft{Text: "answer", ReplyTo: 1, IdempotencyKey: "key", Media: []string{}}
	first := v.Publish(ann, 2, answer)
	v.Delete(ann, 1)
	answer.Media = nil // a list of none is the same input as no list
	again, err := v.Publisher.Publish(t.Context(), ann, answer)
	if err != nil || again.ID != first.ID {
		t.Errorf("the retry got %+v, %v", again, err)
	}
}

func TestRetry_ReportsMissingResult(t *testing.T) {
	// A repost is hidden with its original, also from its author.
	for _, deleted := range []feed.PostID{1, 2} {
		v := fixture.New(t)
		v.Post(ann, 1)
		draft := publish.Draft{RepostOf: 1, IdempotencyKey: "key"}
		v.Publish(ann, 2, draft)
		v.Delete(ann, deleted)
		fixture.Got(v.Publisher.Publish(t.Context(), ann, draft)).Refused(v, feed.CodeNotFound, "idempotencyKey")
	}
}

// keyless is a store in which no key is found before the publish.
type keyless struct{ feed.PostWriter }

func (keyless) Published(context.Context, feed.UserID, feed.Idempotency) (*feed.Post, error) {
	return nil, nil
}

// Two concurrent calls under one key: the second finds the key only when it stores.
func TestRetry_ReportsMissingResultConcurrently(t *testing.T) {
	v := fixture.New(t)
	draft := publish.Draft{Text: "a", IdempotencyKey: "key"}
	first := v.Publish(ann, 1, draft)
	v.Publisher.Posts = keyless{v.Publisher.Posts}
	again := v.Publish(ann, 2, draft)
	fixture.Same(t, "the result of the retry", []feed.PostID{again.ID}, first.ID)
	v.Must(v.Publisher.Delete(t.Context(), ann, 1))
	v.IDs = []feed.PostID{3}
	fixture.Got(v.Publisher.Publish(t.Context(), ann, draft)).Refused(v, feed.CodeNotFound, "idempotencyKey")
}

// evictions records what is evicted.
type evictions struct{ posts []feed.PostID }

func (e *evictions) Evict(posts []feed.PostID, _ []feed.UserID) {
	e.posts = append(e.posts, posts...)
}

// lostReply is a store whose replies are lost.
type lostReply struct{ feed.PostWriter }

func (l lostReply) Delete(ctx context.Context, id feed.PostID, at int64) error {
	_ = l.PostWriter.Delete(ctx, id, at)
	return feed.Unavailable("the database", errors.New("the connection was reset"))
}

func TestChanges_EvictFromCaches(t *testing.T) {
	v := fixture.New(t)
	seen := &evictions{}
	v.Publisher.Evictor = seen
	v.Post(ann, 1, 2, 3)
	v.Edit(ann, 1, "edited")
	v.Delete(ann, 2)
	v.Publisher.Posts = lostReply{v.PostWriter}
	v.Refused(v.Publisher.Delete(t.Context(), ann, 3), feed.CodeUnavailable)
	fixture.Same(t, "what was forgotten", seen.posts, 1, 2, 3)
}

// A comment or repost has the audience of what it answers or shares.
func TestPublish_TakesAudienceOfThread(t *testing.T) {
	v := fixture.New(t)
	v.Follow(ann, star)
	v.Follow(bob, star)
	followers, public := feed.AudienceFollowers, feed.AudiencePublic
	v.Publish(star, 1, publish.Draft{Text: "for followers", Audience: &followers})
	v.Publish(ann, 2, publish.Draft{Text: "a comment", ReplyTo: 1})
	v.Publish(bob, 3, publish.Draft{Text: "an answer", ReplyTo: 2})
	v.Publish(star, 4, publish.Draft{RepostOf: 1})
	v.Publish(star, 5, publish.Draft{Text: "for all", Audience: &public})
	v.Publish(ann, 6, publish.Draft{RepostOf: 5})
	for i, p := range fixture.Got(v.Backend.Posts.Posts(t.Context(), []feed.PostID{1, 2, 3, 4, 5, 6})).Must(t) {
		want := followers
		if i >= 4 {
			want = public
		}
		if p.Audience != want || p.AudienceAuthor != star {
			t.Errorf("post %s is for %s of %s, want %s of star", p.ID, p.Audience, p.AudienceAuthor, want)
		}
	}
	for name, c := range map[string]struct {
		by    feed.UserID
		draft publish.Draft
		code  feed.Code
		field string
	}{
		"a comment with an audience":        {ann, publish.Draft{Text: "a", ReplyTo: 1, Audience: &public}, feed.CodeInvalid, "audience"},
		"a repost with an audience":         {star, publish.Draft{RepostOf: 1, Audience: &followers}, feed.CodeInvalid, "audience"},
		"an audience there is not":          {star, publish.Draft{Text: "a", Audience: new(feed.AudienceOfParent)}, feed.CodeInvalid, "audience"},
		"a repost by a follower":            {ann, publish.Draft{RepostOf: 1}, feed.CodeForbidden, "repostOf"},
		"a repost of one's own comment":     {ann, publish.Draft{RepostOf: 2}, feed.CodeForbidden, "repostOf"},
		"a repost of a comment by the host": {star, publish.Draft{RepostOf: 2}, feed.CodeForbidden, "repostOf"},
		"a comment by a stranger":           {moon, publish.Draft{Text: "a", ReplyTo: 1}, feed.CodeNotFound, "replyTo"},
		"a repost by a stranger":            {moon, publish.Draft{RepostOf: 1}, feed.CodeNotFound, "repostOf"},
	} {
		_, err := v.Publisher.Publish(t.Context(), c.by, c.draft)
		v.Refused(err, c.code, c.field)
		if err == nil {
			t.Error(name)
		}
	}
}

func TestEdit_ChangesAudienceWithoutTime(t *testing.T) {
	v := fixture.New(t)
	followers, public := feed.AudienceFollowers, feed.AudiencePublic
	v.Post(star, 1)
	v.Publish(ann, 2, publish.Draft{Text: "a comment", ReplyTo: 1})
	edit := func(by feed.UserID, id feed.PostID, e feed.PostEdit) fixture.Result[*feed.Post] {
		return fixture.Got(v.Publisher.Edit(t.Context(), by, id, e))
	}
	before := fixture.Got(v.Backend.Posts.Posts(t.Context(), []feed.PostID{1})).Must(t)[0]
	edited := *edit(star, 1, feed.PostEdit{Audience: &followers}).Must(t)
	fixture.Is(t, "the audience", edited.Audience, followers)
	edited.Audience = public
	if diff := cmp.Diff(before, &edited); diff != "" {
		t.Errorf("an edit of the audience changes more (-want +got):\n%s", diff)
	}
	comment := fixture.Got(v.Backend.Posts.Posts(t.Context(), []feed.PostID{2})).Must(t)[0]
	fixture.Is(t, "the audience of the comment", comment.Audience, public)
	edited = *edit(star, 1, feed.PostEdit{Text: new("words")}).Must(t)
	if edited.Audience != followers || edited.Text != "words" || edited.EditedAt == 0 {
		t.Errorf("an edit of the text returns %+v", edited)
	}
	edit(ann, 2, feed.PostEdit{Audience: &followers}).Refused(v, feed.CodeInvalid, "audience")
	edit(star, 1, feed.PostEdit{Audience: new(feed.AudienceOfParent)}).Refused(v, feed.CodeInvalid, "audience")
	edit(ann, 1, feed.PostEdit{Audience: &public}).Refused(v, feed.CodeNotFound, "postId")
}

func TestEdit_OnlyByAuthorAndWithinRules(t *testing.T) {
	v := fixture.New(t)
	v.Post(star, 1)
	v.Publish(star, 2, publish.Draft{Media: []string{"https://tide.example/a"}})
	v.Publish(star, 3, publish.Draft{RepostOf: 1})
	edit := func(who feed.UserID, id feed.PostID, text string) error {
		_, err := v.Publisher.Edit(t.Context(), who, id, feed.PostEdit{Text: &text})
		return err
	}
	v.Refused(edit(ann, 1, "mine"), feed.CodeForbidden, "postId")
	v.Refused(edit(anonymous, 1, "mine"), feed.CodeForbidden, "postId")
	v.Refused(edit(star, 9, "none"), feed.CodeNotFound, "postId")
	v.Refused(edit(star, 1, ""), feed.CodeInvalid, "text")
	v.Refused(edit(star, 1, "\u3164"), feed.CodeInvalid, "text")
	v.Refused(edit(star, 1, strings.Repeat("a", v.Policy.TextMax+1)), feed.CodeTooLong, "text")
	v.Must(edit(star, 2, ""))
	v.Must(edit(star, 3, ""))
	v.Refused(v.Publisher.Delete(t.Context(), ann, 1), feed.CodeForbidden, "postId")
	// For a viewer that the author hides from, the post does not exist.
	v.Relate(feed.RelationBlock, star, ann)
	v.Refused(edit(ann, 1, "mine"), feed.CodeNotFound, "postId")
	v.Refused(v.Publisher.Delete(t.Context(), ann, 1), feed.CodeNotFound, "postId")
	fixture.Got(v.Publisher.React(t.Context(), ann, feed.ReactionLike, 1, true)).Refused(v, feed.CodeNotFound, "postId")
}

// hidings are all the ways in which post 1, by star, becomes hidden from ann.
func hidings() map[string]func(v fixture.Service) {
	return map[string]func(v fixture.Service){
		"its author blocks her":      func(v fixture.Service) { v.Relate(feed.RelationBlock, star, ann) },
		"its author hides from her":  func(v fixture.Service) { v.Relate(feed.RelationHide, star, ann) },
		"she blocks its author":      func(v fixture.Service) { v.Relate(feed.RelationBlock, ann, star) },
		"its author has deleted it":  func(v fixture.Service) { v.Delete(star, 1) },
		"its author's account ended": func(v fixture.Service) { v.Must(v.Profiles.DeleteAccount(v.Context(), star, v.Clock.Millis())) },
	}
}

// Others may still read the text of ann's repost of a post that is now hidden from her, and only
// she can remove it.
func TestEdit_AllowsRepostOfHiddenOriginal(t *testing.T) {
	for name, hide := range hidings() {
		t.Run(name, func(t *testing.T) {
			v := fixture.New(t)
			v.Post(star, 1)
			v.Publish(ann, 2, publish.Draft{Text: "words", RepostOf: 1})
			v.Publish(ann, 3, publish.Draft{Text: "more words", RepostOf: 2})
			hide(v)
			v.Relate(feed.RelationBlock, ann, bob)
			for _, id := range []feed.PostID{2, 3} {
				// For a viewer who may not see it, the refusal is that of a missing post.
				for _, of := range []feed.PostID{id, 99} {
					fixture.Got(v.Publisher.Edit(t.Context(), bob, of, feed.PostEdit{Text: new("mine")})).Refused(v, feed.CodeNotFound, "postId")
					v.Refused(v.Publisher.Delete(t.Context(), bob, of), feed.CodeNotFound, "postId")
				}
				edited := fixture.Got(v.Publisher.Edit(t.Context(), ann, id, feed.PostEdit{Text: new("")})).Must(t)
				if edited.ID != id || edited.Text != "" {
					t.Errorf("the edit of %s returns %+v", id, edited)
				}
				v.Delete(ann, id)
				fixture.Got(v.Publisher.Edit(t.Context(), ann, id, feed.PostEdit{Text: new("back")})).Refused(v, feed.CodeNotFound, "postId")
			}
			stored := fixture.Got(v.Backend.Posts.Posts(t.Context(), []feed.PostID{2, 3})).Must(t)
			for _, p := range stored {
				if p.DeletedAt == 0 || p.Text != "" {
					t.Errorf("edited and deleted, %s is %+v", p.ID, p)
				}
			}
		})
	}
}

// A like of a post that became hidden could otherwise never be removed. Without a like, the
// refusal does not reveal whether the post exists.
func TestUnreact_AllowedOnHiddenPost(t *testing.T) {
	for name, hide := range hidings() {
		for stands, other := range map[feed.Reaction]feed.Reaction{
			feed.ReactionLike: feed.ReactionFavorite, feed.ReactionFavorite: feed.ReactionLike,
		} {
			t.Run(name+", "+string(stands), func(t *testing.T) {
				v := fixture.New(t)
				v.Post(star, 1)
				react := func(who feed.UserID, r feed.Reaction, id feed.PostID, on bool) error {
					post, err := v.Publisher.React(t.Context(), who, r, id, on)
					if post != nil && id == 1 && who != cem {
						t.Errorf("%s of %s: she is shown %+v", r, id, post)
					}
					return err
				}
				v.Must(react(cem, stands, 1, true))
				fixture.Got(v.Publisher.React(t.Context(), ann, stands, 1, true)).Must(t)
				v.Relate(feed.RelationBlock, star, bob)
				hide(v)
				for _, r := range []feed.Reaction{stands, other} {
					v.Refused(react(bob, r, 1, false), feed.CodeNotFound, "postId")
					v.Refused(react(ann, r, 99, false), feed.CodeNotFound, "postId")
					v.Refused(react(ann, r, 1, true), feed.CodeNotFound, "postId")
				}
				v.Refused(react(ann, other, 1, false), feed.CodeNotFound, "postId")
				v.Must(react(ann, stands, 1, false))
				v.Refused(react(ann, stands, 1, false), feed.CodeNotFound, "postId")
				left := fixture.Got(v.Backend.Counters.PostCounters(t.Context(), []feed.PostID{1})).Must(t)
				fixture.Is(t, "the reactions left", left[0].Likes+left[0].Favorites, 1)
			})
		}
	}
}
