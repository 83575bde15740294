package shadow_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/connect/shadow"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/publish"
)

const (
	ann = fixture.Ann
	bob = fixture.Bob
)

// script is an old feed that shows the next list of ids each time, and the last one from then on. An
// empty list is an error.
type script struct {
	lists []string
	reads int
}

var errOld = errors.New("the old feed is away")

func (s *script) Scroll(context.Context, string) (shadow.Scroll, error) {
	list := s.lists[min(s.reads, len(s.lists)-1)]
	s.reads++
	if list == "" {
		return shadow.Scroll{}, errOld
	}
	scroll := shadow.Scroll{Pages: 1, Complete: true}
	for _, id := range strings.Fields(list) {
		scroll.Items = append(scroll.Items, shadow.Item{ID: id, Page: 1})
	}
	return scroll, nil
}

// texts are ids with a letter before the number.
type texts struct{ feed.DecimalIDs }

func (texts) FindIDs(ctx context.Context, kind feed.IDKind, ids []feed.ExternalID) ([]int64, error) {
	numbers := make([]feed.ExternalID, len(ids))
	for i, id := range ids {
		if id.Check() != nil {
			return nil, errors.New("a store refuses such ids")
		}
		numbers[i] = feed.ExternalID(strings.TrimPrefix(string(id), "p"))
	}
	return feed.DecimalIDs{}.FindIDs(ctx, kind, numbers)
}

func (texts) ExternalIDs(_ context.Context, _ feed.IDKind, numbers []int64) ([]feed.ExternalID, error) {
	ids := make([]feed.ExternalID, len(numbers))
	for i, n := range numbers {
		ids[i] = feed.ExternalID("p" + feed.PostID(n).String())
	}
	return ids, nil
}

// newShadow compares a script with the feeds of a service. It counts the pauses.
func newShadow(v fixture.Service, old shadow.OldFeeds, pauses *int) *shadow.Shadow {
	ours := v.Examiner()
	ours.Pause = func(context.Context) error { *pauses++; return nil }
	return &shadow.Shadow{Old: old, Ours: ours, IDs: feed.DecimalIDs{}}
}

// The feed of ann has post 2 by bob and post 1.
func TestShadow_KeepsWhatStays(t *testing.T) {
	for name, c := range map[string]struct {
		before func(v fixture.Service, s *shadow.Shadow)
		lists  []string
		// want are kinds, reasons and ids.
		want           []string
		moving, pauses int
	}{
		"equal feeds":            {nil, []string{"2 1"}, nil, 0, 0},
		"a push that is pending": {func(v fixture.Service, _ *shadow.Shadow) { v.Post(bob, 3) }, []string{"3 2 1"}, []string{"only-old pending 3"}, 0, 2},
		"a push that Tideline lost": {
			func(v fixture.Service, _ *shadow.Shadow) { v.AmendInbox(ann, nil, v.Header(ann).Keys[:1]) },
			[]string{"2 1"},
			[]string{"only-old missing 2"},
			0, 2,
		},
		"gone at the second read":   {nil, []string{"1", "2 1"}, nil, 1, 1},
		"gone at the third read":    {nil, []string{"2 1 77", "2 77 1", "2 1"}, nil, 1, 2},
		"another one at each read":  {nil, []string{"2", "1"}, nil, 1, 1},
		"one stays and one is gone": {nil, []string{"88 2 1 77", "2 1 77"}, []string{"only-old not-stored 77"}, 1, 2},
		"another kind": {func(v fixture.Service, s *shadow.Shadow) {
			v.Publish(bob, 6, publish.Draft{RepostOf: 1})
			v.WorkAll()
			s.Filter = feed.OfKinds(feed.KindPost)
		}, []string{"6 2 1"}, []string{"only-old other-kind 6"}, 0, 2},
		"an id that is rounded to that of another post": {func(v fixture.Service, _ *shadow.Shadow) {
			v.Post(bob, 1<<53, 1<<53+1)
			v.WorkAll()
		}, []string{"9007199254740992 9007199254740992 2 1"}, []string{"duplicate rounded-id 9007199254740992"}, 1, 2},
		"posts at both ends": {func(v fixture.Service, _ *shadow.Shadow) {
			v.Post(bob, 3, 4)
			v.WorkAll()
			v.Delete(fixture.Star, 1)
		}, []string{"3"}, []string{"only-ours ends-early 2", "only-ours newest-missing 4"}, 0, 2},
		"posts of an author around the others": {func(v fixture.Service, _ *shadow.Shadow) {
			v.Post(fixture.Star, 3)
			v.WorkAll()
		}, []string{"2"}, []string{"only-ours author-missing 1", "only-ours author-missing 3"}, 0, 2},
		"nothing in common": {nil, []string{"77"}, []string{"only-old not-stored 77", "only-ours author-missing 1", "only-ours author-missing 2"}, 0, 2},
		"ids that are texts": {
			func(_ fixture.Service, s *shadow.Shadow) { s.IDs = texts{} },
			[]string{"p1 \x01 p7"},
			[]string{"only-old not-stored \x01", "only-old not-stored p7", "only-ours newest-missing p2"},
			0, 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			v, pauses := fixture.NewSelectivePushed(t), 0
			s := newShadow(v, &script{lists: c.lists}, &pauses)
			if c.before != nil {
				c.before(v, s)
			}
			exams, err := s.Compare(t.Context(), []feed.UserID{ann})
			v.Must(err)
			var got []string
			for _, d := range exams[0].Differences {
				got = append(got, strings.Join([]string{string(d.Kind), string(d.Reason), d.ID}, " "))
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) || exams[0].Moving != c.moving || pauses != c.pauses || exams[0].Err != nil {
				t.Errorf("after %d pauses it found %q, %d in motion, %v; want %q", pauses, got, exams[0].Moving, exams[0].Err, c.want)
			}
		})
	}
}

func TestShadow_FailuresConcernOneViewer(t *testing.T) {
	for _, lists := range [][]string{{""}, {"1", ""}} {
		v, pauses := fixture.NewSelectivePushed(t), 0
		exams, err := newShadow(v, &script{lists: lists}, &pauses).Compare(t.Context(), []feed.UserID{ann})
		v.Must(err)
		r := shadow.NewSummary(0.5, nil)
		r.Add(exams)
		if !errors.Is(exams[0].Err, errOld) || r.Failed != 1 || r.Different != 1 || r.OK || r.Share != 1 {
			t.Errorf("with %q the error is %v, and the summary %+v", lists, exams[0].Err, r)
		}
		if f := r.Findings; len(f) != 1 || f[0].Kind != shadow.Failed || f[0].User != exams[0].Name || f[0].Words != errOld.Error() || r.Counts[0].Normal {
			t.Errorf("with %q the findings are %+v", lists, f)
		}
	}
	v, pauses := fixture.NewSelectivePushed(t), 0
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newShadow(v, &script{lists: []string{"1"}}, &pauses).Compare(ctx, []feed.UserID{ann}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error of the store is %v", err)
	}
}

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
