package explain_test

import (
	"context"
	"errors"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/explain"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/publish"
)

const (
	ann  = fixture.Ann
	bob  = fixture.Bob
	star = fixture.Star
	moon = fixture.Moon
)

// The home model compares explanations with random histories. This test has one of each reason.
func TestExplain_NamesEachReason(t *testing.T) {
	for name, c := range map[string]struct {
		before func(v fixture.Service)
		post   feed.PostID
		kinds  feed.Kinds
		want   explain.Explanation
	}{
		"not stored":   {nil, 99, nil, explain.Explanation{Reason: explain.Reason(feed.HiddenNotStored)}},
		"deleted":      {func(v fixture.Service) { v.Delete(bob, 2) }, 2, nil, explain.Explanation{Reason: explain.Reason(feed.HiddenDeleted), HasEntry: true}},
		"not followed": {func(v fixture.Service) { v.Post(moon, 5) }, 5, nil, explain.Explanation{Reason: explain.Reason(feed.HiddenNotFollowed)}},
		"muted": {
			func(v fixture.Service) { v.Relate(feed.RelationMute, ann, bob) }, 2, nil,
			explain.Explanation{Reason: explain.Reason(feed.HiddenMuted), HasEntry: true},
		},
		"author hides": {
			func(v fixture.Service) { v.Relate(feed.RelationHide, bob, ann) }, 2, nil,
			explain.Explanation{Reason: explain.Reason(feed.HiddenFromViewer), HasEntry: true},
		},
		"author absent": {
			func(v fixture.Service) { v.SetAbsent(bob, true) }, 2, nil,
			explain.Explanation{Reason: explain.Reason(feed.HiddenAuthorAbsent), HasEntry: true},
		},
		"blocked": {
			func(v fixture.Service) { v.Relate(feed.RelationBlock, ann, bob) }, 2, nil,
			explain.Explanation{Reason: explain.Reason(feed.HiddenBlocked), HasEntry: true},
		},
		"blocked by the author": {
			func(v fixture.Service) { v.Relate(feed.RelationBlock, bob, ann) }, 2, nil,
			explain.Explanation{Reason: explain.Reason(feed.HiddenBlockedBy), HasEntry: true},
		},
		"original deleted": {func(v fixture.Service) {
			v.Post(moon, 5)
			v.Publish(bob, 6, publish.Draft{RepostOf: 5})
			v.WorkAll()
			v.Delete(moon, 5)
		}, 6, nil, explain.Explanation{Reason: explain.Reason(feed.HiddenDeleted), Original: 5, HasEntry: true}},
		"another kind": {nil, 2, feed.Kinds{feed.KindRepost}, explain.Explanation{Reason: explain.OtherKind, HasEntry: true}},
		"pushed":       {nil, 2, nil, explain.Explanation{Reason: explain.Entry, InFeed: true, Shown: true, HasEntry: true}},
		"own": {
			func(v fixture.Service) { v.Post(ann, 5) }, 5, nil,
			explain.Explanation{Reason: explain.Own, InFeed: true, Shown: true},
		},
		"pending": {
			func(v fixture.Service) { v.Post(bob, 5) }, 5, nil,
			explain.Explanation{Reason: explain.Pending, InFeed: true},
		},
		"pulled from an unpushed author": {func(v fixture.Service) {
			v.Flag(bob, feed.FlagUnpushed)
			v.Post(bob, 5)
		}, 5, nil, explain.Explanation{Reason: explain.PulledUnpushed, InFeed: true, Shown: true}},
		"pulled into a cold inbox": {func(v fixture.Service) {
			v.EndLeases()
			v.Post(star, 5)
		}, 5, nil, explain.Explanation{Reason: explain.PulledSelective, InFeed: true, Shown: true}},
		"pulled from a new followee": {func(v fixture.Service) {
			v.Post(moon, 5)
			v.Follow(ann, moon)
		}, 5, nil, explain.Explanation{Reason: explain.PulledFollow, InFeed: true, Shown: true}},
		"below the floor": {func(v fixture.Service) {
			in := v.Header(ann)
			v.ForgeInbox(ann, in.Generation, feed.Build{Floor: in.Keys[0], Version: in.Version, WarmUntil: in.WarmUntil})
		}, 2, nil, explain.Explanation{Reason: explain.BelowFloor, InFeed: true, Shown: true}},
		"without an inbox": {
			func(v fixture.Service) { v.LoseInbox(ann) }, 2, nil,
			explain.Explanation{Reason: explain.NoInbox, InFeed: true, Shown: true},
		},
		"while inboxes are down": {
			func(v fixture.Service) { v.Flaky.Down = true }, 2, nil,
			explain.Explanation{Reason: explain.NoInbox, InFeed: true, Shown: true, InboxDown: true},
		},
		"lost": {func(v fixture.Service) {
			v.AmendInbox(ann, nil, v.Header(ann).Keys[:1])
		}, 2, nil, explain.Explanation{Reason: explain.Missing, InFeed: true}},
	} {
		t.Run(name, func(t *testing.T) {
			v := fixture.NewSelectivePushed(t)
			if c.before != nil {
				c.before(v)
			}
			got, err := v.Explainer().Explain(t.Context(), ann, c.post, c.kinds)
			v.Must(err)
			words := got.Words(func(id feed.PostID) feed.PublicID { return feed.PublicID{External: feed.ExternalID("p" + id.String())} })
			if got.Reason == "" || words == string(got.Reason) {
				t.Errorf("the reason %q has the words %q", got.Reason, words)
			}
			if pushed := got.PushedAt > 0; pushed != (got.Reason == explain.Entry) && got.InFeed && name == "pushed" {
				t.Errorf("the post was pushed at %d", got.PushedAt)
			}
			type answer struct {
				explain.Reason
				original                           feed.PostID
				inFeed, shown, hasEntry, inboxDown bool
			}
			of := func(e explain.Explanation) answer {
				return answer{e.Reason, e.Original, e.InFeed, e.Shown, e.HasEntry, e.InboxDown}
			}
			if of(got) != of(c.want) {
				t.Errorf("the explanation is %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestExplain_ReturnsErrorsOfStores(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := v.Explainer().Explain(ctx, ann, 2, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want that of the store", err)
	}
}

func TestInbox_JudgesEntries(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	v.Relate(feed.RelationMute, ann, bob)
	in, err := v.Explainer().Inbox(t.Context(), ann, 10)
	v.Must(err)
	hidden := map[feed.UserID]feed.Hidden{}
	for _, e := range in.Entries {
		hidden[e.Author] = e.Hidden
	}
	if len(in.Entries) != 2 || hidden[bob] != feed.HiddenMuted || hidden[star] != feed.Visible {
		t.Errorf("the entries are %+v", in.Entries)
	}
	if want := "warm: covers followed authors, except those whose posts are not all pushed; not updated yet after a follow, mute or block"; in.Words() != want {
		t.Errorf("the inbox is %q, want %q", in.Words(), want)
	}
}
