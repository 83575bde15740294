package feed_test

import (
	"context"
	"slices"
	"testing"

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

// judged returns which of the posts viewer may see.
func judged(v fixture.Service, viewer feed.UserID, scope feed.Scope, ids ...feed.PostID) []feed.PostID {
	v.Helper()
	posts := fixture.Got(feed.Judge(v.Context(), viewer, v.Timeline.Viewers.State(viewer), ids, scope)).Must(v)
	var seen []feed.PostID
	for i, p := range posts {
		if p != nil && p.ID != ids[i] {
			v.Errorf("post %d was returned as %d", ids[i], p.ID)
		}
		if p != nil {
			seen = append(seen, p.ID)
		}
	}
	return seen
}

// listedHost is the state of a viewer who follows an author in one of their exclusive lists.
type listedHost struct{ feed.ViewerState }

func (listedHost) Version(context.Context) (feed.ViewerVersion, error) {
	return feed.ViewerVersion{}, nil
}

func (listedHost) Edges(_ context.Context, others []feed.UserID) ([]feed.Edge, error) {
	return []feed.Edge{{Follows: true, Listed: true}}[:len(others)], nil
}

func (listedHost) Posts(context.Context, []feed.PostID) ([]*feed.Post, error) {
	return []*feed.Post{{ID: 1, Author: star, Kind: feed.KindPost}, {ID: 2, Author: star, Kind: feed.KindPost, Replay: true}}, nil
}

func TestJudge_ExclusiveListsLeaveReplays(t *testing.T) {
	posts, err := feed.Judge(t.Context(), ann, listedHost{}, []feed.PostID{1, 2}, feed.ScopeHome)
	if err != nil || posts[0] != nil || posts[1] == nil {
		t.Errorf("got %v, error %v, want the replay alone", posts, err)
	}
}

// relates returns a step that begins a relation.
func relates(kind feed.RelationKind, user, target feed.UserID) func(v fixture.Service) {
	return func(v fixture.Service) { v.Relate(kind, user, target) }
}

// Star's 1 and moon's 2 are posts, star's 3 shows moon's again, and moon's 4 shows
// that. Ann follows star, and not moon.
func TestJudge_FollowsRelations(t *testing.T) {
	all := []feed.PostID{1, 2, 3, 4}
	for name, c := range map[string]struct {
		happen       func(v fixture.Service)
		public, home []feed.PostID
	}{
		"nothing stands between them":             {func(fixture.Service) {}, all, []feed.PostID{1, 3}},
		"one post is deleted":                     {func(v fixture.Service) { v.Delete(star, 1) }, all[1:], []feed.PostID{3}},
		"the viewer mutes the author":             {relates(feed.RelationMute, ann, star), all, nil},
		"the author mutes the viewer":             {relates(feed.RelationMute, star, ann), all, []feed.PostID{1, 3}},
		"the viewer mutes the original's author":  {relates(feed.RelationMute, ann, moon), all, []feed.PostID{1}},
		"the viewer hides from the author":        {relates(feed.RelationHide, ann, star), all, []feed.PostID{1, 3}},
		"the author hides from the viewer":        {relates(feed.RelationHide, star, ann), []feed.PostID{2}, nil},
		"the viewer blocks the author":            {relates(feed.RelationBlock, ann, star), []feed.PostID{2}, nil},
		"the author blocks the viewer":            {relates(feed.RelationBlock, star, ann), []feed.PostID{2}, nil},
		"the original's author blocks the viewer": {relates(feed.RelationBlock, moon, ann), []feed.PostID{1}, []feed.PostID{1}},
		"the author is absent":                    {func(v fixture.Service) { v.SetAbsent(star, true) }, []feed.PostID{2}, nil},
		"the author has returned": {func(v fixture.Service) {
			v.SetAbsent(star, true)
			v.SetAbsent(star, false)
		}, all, []feed.PostID{1, 3}},
		"the original's author is absent": {func(v fixture.Service) { v.SetAbsent(moon, true) }, []feed.PostID{1}, []feed.PostID{1}},
		"the original is deleted":         {func(v fixture.Service) { v.Delete(moon, 2) }, []feed.PostID{1}, []feed.PostID{1}},
	} {
		v := fixture.NewFollowing(t)
		v.Post(star, 1)
		v.Post(moon, 2)
		v.Publish(star, 3, publish.Draft{RepostOf: 2})
		v.Publish(moon, 4, publish.Draft{RepostOf: 3})
		c.happen(v)
		fixture.Same(t, name+", anywhere", judged(v, ann, feed.ScopePublic, all...), c.public...)
		fixture.Same(t, name+", at home", judged(v, ann, feed.ScopeHome, all...), c.home...)
	}
}

func TestJudge_ShowsOwnPostsAndNoMissingOnes(t *testing.T) {
	v := fixture.New(t)
	v.Post(ann, 1)
	v.Publish(ann, 2, publish.Draft{RepostOf: 1})
	fixture.Same(t, "ann's own", judged(v, ann, feed.ScopeHome, 1, 2, 99), 1, 2)
	fixture.Same(t, "what the anonymous viewer sees", judged(v, anonymous, feed.ScopePublic, 1, 2, 99), 1, 2)
	fixture.Same(t, "of none", judged(v, ann, feed.ScopeHome))
}

// chain is the state of a viewer of posts that repost each other in a way no store accepts at once.
type chain struct {
	feed.ViewerState
	of map[feed.PostID]feed.PostID
}

func (c chain) Posts(_ context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	posts := make([]*feed.Post, len(ids))
	for i, id := range ids {
		posts[i] = &feed.Post{ID: id, Author: ann, RepostOf: c.of[id]}
	}
	return posts, nil
}

func TestJudge_HidesEndlessChains(t *testing.T) {
	c := chain{of: map[feed.PostID]feed.PostID{1: 1, 2: 3, 3: 2}}
	ids := []feed.PostID{1, 2, 3}
	depth := feed.PostID(feed.DefaultPolicy().RepostDepth)
	for links := range depth + 3 {
		if links > 0 {
			c.of[10+links] = 9 + links
		}
		ids = append(ids, 10+links)
	}
	// Posts that are judged together, and each alone.
	for _, list := range append(slices.Collect(slices.Chunk(ids, 1)), ids) {
		posts := fixture.Got(feed.Judge(t.Context(), ann, c, list, feed.ScopePublic)).Must(t)
		for i, id := range list {
			if want := id >= 10 && id-10 <= depth; (posts[i] != nil) != want {
				t.Errorf("judging %v: whether post %d shows is %t, want %t", list, id, !want, want)
			}
		}
	}
}

// stalePosts is a cache that has missed every change since a post was published.
type stalePosts struct{ posts feed.Posts }

func (s stalePosts) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	posts, err := s.posts.Posts(ctx, ids)
	for i, p := range posts {
		if p != nil {
			old := *p
			old.DeletedAt, old.EditedAt, old.Text = 0, 0, "text"
			posts[i] = &old
		}
	}
	return posts, err
}

// A stale cache may show an old text to others for a moment, but not to the author, whose own
// posts bypass it.
func TestJudge_ReadsOwnPostsFromPrimary(t *testing.T) {
	v := fixture.New(t)
	direct := *v.Cache.Direct
	direct.Posts = stalePosts{v.Backend.Posts}
	v.Cache.Direct = &direct
	if feedtest.ViewerCacheOff() {
		v.Timeline.Viewers = &direct
	}
	v.Follow(ann, star)
	v.Post(star, 1, 2)
	v.Publish(star, 3, publish.Draft{RepostOf: 1})
	v.Edit(star, 2, "edited")
	v.Delete(star, 1)

	fixture.Same(t, "what star sees", judged(v, star, feed.ScopePublic, 1, 2, 3), 2)
	fixture.Same(t, "what ann sees", judged(v, ann, feed.ScopePublic, 1, 2, 3), 1, 2, 3)
	for viewer, want := range map[feed.UserID]string{star: "edited", ann: "text"} {
		posts, err := v.Timeline.Posts(t.Context(), viewer, []feed.PostID{2})
		if v.Must(err); posts[0].Text != want {
			t.Errorf("user %d reads %q, want %q", viewer, posts[0].Text, want)
		}
	}
}

func TestWindow_RejectsBadQueries(t *testing.T) {
	v := fixture.New(t)
	home := feed.Cursor{Kind: feed.FeedHome, Key: feed.Key{TS: 5, ID: 7}}.String()
	followers := feed.Cursor{Kind: feed.FeedFollowers, Key: feed.Key{TS: 5, ID: 7}}.String()
	for name, c := range map[string]struct {
		query feed.PageQuery
		code  feed.Code
	}{
		"first and last":             {feed.PageQuery{First: new(1), Last: new(1)}, feed.CodeBadInput},
		"first with before":          {feed.PageQuery{First: new(1), Before: home}, feed.CodeBadInput},
		"last with after":            {feed.PageQuery{Last: new(1), After: home}, feed.CodeBadInput},
		"after and before":           {feed.PageQuery{After: home, Before: home}, feed.CodeBadInput},
		"first below zero":           {feed.PageQuery{First: new(-1)}, feed.CodeBadInput},
		"first above the maximum":    {feed.PageQuery{First: new(101)}, feed.CodeBadInput},
		"a kind there is not":        {feed.PageQuery{Filter: feed.OfKinds(feed.KindPost, "LIVE")}, feed.CodeBadInput},
		"after what is no cursor":    {feed.PageQuery{After: "?"}, feed.CodeBadCursor},
		"a cursor of another list":   {feed.PageQuery{After: followers}, feed.CodeBadCursor},
		"a bad size beats a bad one": {feed.PageQuery{First: new(-1), After: "?"}, feed.CodeBadInput},
	} {
		_, err := v.Timeline.Page(t.Context(), ann, c.query)
		if feed.CodeOf(err) != c.code {
			t.Errorf("%s: the error is %v, not %s", name, err, c.code)
		}
	}
	fixture.Got(v.Directory.Followers(t.Context(), ann, star, feed.PageQuery{After: home})).Refused(v, feed.CodeBadCursor)
}

func TestWindow_DefaultsOptionalFields(t *testing.T) {
	v := fixture.New(t)
	v.Post(ann, 1, 2, 3, 4, 5)
	cursor := v.Page(ann, 2, "").Entries[1].Cursor
	for name, c := range map[string]struct {
		query feed.PageQuery
		want  []feed.PostID
		next  bool
		prev  bool
	}{
		"nothing is the default's newest": {feed.PageQuery{}, []feed.PostID{5, 4, 3}, true, false},
		"only after":                      {feed.PageQuery{After: cursor}, []feed.PostID{3, 2, 1}, false, false},
		"only before":                     {feed.PageQuery{Before: cursor}, []feed.PostID{5}, false, false},
		"the largest size":                {feed.PageQuery{First: new(100)}, []feed.PostID{5, 4, 3, 2, 1}, false, false},
		"the smallest size":               {feed.PageQuery{First: new(0)}, nil, true, false},
		"looking back over after":         {feed.PageQuery{First: new(1), After: cursor, LookBack: true}, []feed.PostID{3}, true, true},
		"looking back over before":        {feed.PageQuery{Last: new(1), Before: cursor, LookBack: true}, []feed.PostID{5}, true, false},
		"nothing to look back over":       {feed.PageQuery{First: new(1), LookBack: true}, []feed.PostID{5}, true, false},
	} {
		page := fixture.Got(v.Timeline.Page(t.Context(), ann, c.query)).Must(v)
		fixture.Same(t, name, fixture.IDsOf(page), c.want...)
		if page.HasNext != c.next || page.HasPrevious != c.prev {
			t.Errorf("%s: older %t, newer %t, want %t, %t", name, page.HasNext, page.HasPrevious, c.next, c.prev)
		}
	}
}
