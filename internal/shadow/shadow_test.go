package shadow_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/internal/shadow"
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
	d := v.Doctor()
	return &shadow.Shadow{
		Old: old, Home: d.Home, Posts: d.Posts, IDs: feed.DecimalIDs{}, Explainer: v.Explainer(), PageMax: v.Policy.PageMax,
		Pause: func(context.Context) error { *pauses++; return nil },
	}
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
			s.Kinds = feed.Kinds{feed.KindPost}
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
		r := shadow.NewReport(0.5, nil)
		r.Add(exams)
		if !errors.Is(exams[0].Err, errOld) || r.Failed != 1 || r.Different != 1 || r.OK || r.Share != 1 {
			t.Errorf("with %q the error is %v, and the report %+v", lists, exams[0].Err, r)
		}
	}
	v, pauses := fixture.NewSelectivePushed(t), 0
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := newShadow(v, &script{lists: []string{"1"}}, &pauses).Compare(ctx, []feed.UserID{ann}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error of the store is %v", err)
	}
}
