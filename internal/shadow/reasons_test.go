package shadow_test

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/internal/shadow"
)

// paged is an old feed: ids, with | between pages. After a plus sign is by how many minutes a publish
// time is wrong; others have none.
type paged struct {
	list  string
	times map[string]time.Time
}

func (p paged) Scroll(context.Context, string) (shadow.Scroll, error) {
	scroll := shadow.Scroll{Complete: true}
	for i, page := range strings.Split(p.list, "|") {
		for _, word := range strings.Fields(page) {
			id, off, shifted := strings.Cut(word, "+")
			item := shadow.Item{ID: id, Page: i + 1}
			if minutes, err := strconv.Atoi(off); shifted && err == nil {
				item.At = feed.Millis(p.times[id].Add(time.Duration(minutes) * time.Minute))
			}
			scroll.Items = append(scroll.Items, item)
		}
		scroll.Pages = i + 1
	}
	return scroll, nil
}

// The feed of ann has posts 18 to 11, of bob and the star in turn, a minute apart, and those of the
// fixture.
func TestShadow_NamesEachReason(t *testing.T) {
	for name, c := range map[string]struct {
		before func(v fixture.Service)
		old    string
		// want is a kind and a reason, and the posts concerned; none for all.
		want  string
		posts string
	}{
		"is empty":                      {nil, "", "only-ours old-empty", ""},
		"lost a push":                   {nil, "18 17 16 14 13 12 11 2 1", "only-ours post-missing", "15"},
		"skips one between pages":       {nil, "18 17 16 | 14 13 12 11 2 1", "only-ours page-gap", "15"},
		"repeats one on the next page":  {nil, "18 17 16 | 16 15 14 13 12 11 2 1", "duplicate across-pages", "16"},
		"repeats one on a page":         {nil, "18 17 16 16 15 14 13 12 11 2 1", "duplicate in-page", "16"},
		"has a pinned post":             {nil, "14 18 17 16 15 13 12 11 2 1", "order other-order", "14"},
		"sorts by id":                   {func(v fixture.Service) { v.Post(bob, 5) }, "18 17 16 15 14 13 12 11 5 2 1", "order sorted-by-id", "5"},
		"turns posts of one time round": {func(v fixture.Service) { v.Post(bob, 21); v.ImportPost(22, bob) }, "21 22 18 17 16 15 14 13 12 11 2 1", "order tie-order", ""},
		"has another time zone":         {nil, "18+120 17+120 16+120 15+120 14+120 13+120 12+120 11+120 2 1", "time zone-shift", ""},
		"has the time of an edit":       {nil, "18 17 16 15+187 14 13 12 11 2 1", "time other-time", "15"},
		"lacks own posts":               {func(v fixture.Service) { v.Post(ann, 21) }, "18 17 16 15 14 13 12 11 2 1", "only-ours own-missing", "21"},
		"hides comments": {
			func(v fixture.Service) { v.Publish(bob, 21, publish.Draft{Text: "x", ReplyTo: 1}) },
			"18 17 16 15 14 13 12 11 2 1", "only-ours comments-left-out", "21",
		},
		"hides reposts": {
			func(v fixture.Service) { v.Publish(bob, 21, publish.Draft{RepostOf: 1}) },
			"18 17 16 15 14 13 12 11 2 1", "only-ours reposts-left-out", "21",
		},
		"shows the repost of a deleted post": {
			func(v fixture.Service) {
				v.Post(fixture.Moon, 20)
				v.Publish(bob, 21, publish.Draft{RepostOf: 20})
				v.WorkAll()
				v.Delete(fixture.Moon, 20)
			},
			"21 18 17 16 15 14 13 12 11 2 1", "only-old original-deleted", "21",
		},
		"shows a muted author": {func(v fixture.Service) { v.Relate(feed.RelationMute, ann, bob) }, "18 17 16 15 14 13 12 11 2 1", "only-old muted", ""},
	} {
		t.Run(name, func(t *testing.T) {
			v, pauses := fixture.NewSelectivePushed(t), 0
			old := paged{c.old, map[string]time.Time{}}
			for id := feed.PostID(11); id <= 18; id++ {
				v.Clock.Advance(time.Minute)
				v.Post([]feed.UserID{fixture.Star, bob}[id%2], id)
				old.times[id.String()] = v.Clock.Now()
			}
			v.Clock.Advance(time.Minute)
			if c.before != nil {
				c.before(v)
			}
			v.WorkAll()
			exams, err := newShadow(v, old, &pauses).Compare(t.Context(), []feed.UserID{ann})
			v.Must(err)
			reasons, posts := map[string]bool{}, map[string]bool{}
			for _, d := range exams[0].Differences {
				reasons[string(d.Kind)+" "+string(d.Reason)], posts[d.Post.String()] = true, true
				if d.Words == "" || d.Words == string(d.Reason) {
					t.Errorf("the words of %s are %q", d.Reason, d.Words)
				}
			}
			if len(reasons) != 1 || !reasons[c.want] || c.posts != "" && (len(posts) != 1 || !posts[c.posts]) {
				t.Errorf("it found %v of %v, want %s of %s", slices.Sorted(maps.Keys(reasons)), slices.Sorted(maps.Keys(posts)), c.want, c.posts)
			}
		})
	}
}
