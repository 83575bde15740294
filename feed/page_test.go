package feed_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

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
		"last below zero":            {feed.PageQuery{Last: new(-1)}, feed.CodeBadInput},
		"first above the maximum":    {feed.PageQuery{First: new(101)}, feed.CodeBadInput},
		"last above the maximum":     {feed.PageQuery{Last: new(101)}, feed.CodeBadInput},
		"a kind there is not":        {feed.PageQuery{Kinds: feed.Kinds{feed.KindPost, "LIVE"}}, feed.CodeBadInput},
		"after what is no cursor":    {feed.PageQuery{After: "?"}, feed.CodeBadCursor},
		"before what is no cursor":   {feed.PageQuery{Last: new(1), Before: "?"}, feed.CodeBadCursor},
		"a cursor of another list":   {feed.PageQuery{After: followers}, feed.CodeBadCursor},
		"a bad size beats a bad one": {feed.PageQuery{First: new(-1), After: "?"}, feed.CodeBadInput},
	} {
		_, err := v.Timeline.Page(t.Context(), ann, c.query)
		if feed.CodeOf(err) != c.code {
			t.Errorf("%s: the error is %v, not %s", name, err, c.code)
		}
	}
	_, err := v.Directory.Followers(t.Context(), ann, star, feed.PageQuery{After: home})
	v.Refused(err, feed.CodeBadCursor)
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
		page, err := v.Timeline.Page(t.Context(), ann, c.query)
		v.Must(err)
		fixture.Same(t, name, fixture.IDsOf(page), c.want...)
		if page.HasNext != c.next || page.HasPrevious != c.prev {
			t.Errorf("%s: older %t, newer %t, want %t, %t", name, page.HasNext, page.HasPrevious, c.next, c.prev)
		}
	}
}
