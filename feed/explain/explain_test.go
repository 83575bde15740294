package explain_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

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

type expl = explain.Explanation

// hidden explains why a post with an entry in the inbox is not in the feed.
func hidden(why feed.Hidden) expl { return expl{Reason: explain.Reason(why), HasEntry: true} }

// shown explains why a post without an entry in the inbox is in the feed.
func shown(why explain.Reason) expl { return expl{Reason: why, InFeed: true, Shown: true} }

// The home model compares explanations with random histories. This test has one of each reason.
func TestExplain_NamesEachReason(t *testing.T) {
	for name, c := range map[string]struct {
		before func(v fixture.Service)
		post   feed.PostID
		filter feed.Filter
		want   explain.Explanation
	}{
		"not stored":            {nil, 99, feed.Filter{}, expl{Reason: explain.Reason(feed.HiddenNotStored)}},
		"deleted":               {func(v fixture.Service) { v.Delete(bob, 2) }, 2, feed.Filter{}, hidden(feed.HiddenDeleted)},
		"not followed":          {func(v fixture.Service) { v.Post(moon, 5) }, 5, feed.Filter{}, expl{Reason: explain.Reason(feed.HiddenNotFollowed)}},
		"muted":                 {func(v fixture.Service) { v.Relate(feed.RelationMute, ann, bob) }, 2, feed.Filter{}, hidden(feed.HiddenMuted)},
		"author hides":          {func(v fixture.Service) { v.Relate(feed.RelationHide, bob, ann) }, 2, feed.Filter{}, hidden(feed.HiddenFromViewer)},
		"author absent":         {func(v fixture.Service) { v.SetAbsent(bob, true) }, 2, feed.Filter{}, hidden(feed.HiddenAuthorAbsent)},
		"blocked":               {func(v fixture.Service) { v.Relate(feed.RelationBlock, ann, bob) }, 2, feed.Filter{}, hidden(feed.HiddenBlocked)},
		"blocked by the author": {func(v fixture.Service) { v.Relate(feed.RelationBlock, bob, ann) }, 2, feed.Filter{}, hidden(feed.HiddenBlockedBy)},
		"original deleted": {func(v fixture.Service) {
			v.Post(moon, 5)
			v.Publish(bob, 6, publish.Draft{RepostOf: 5})
			v.WorkAll()
			v.Delete(moon, 5)
		}, 6, feed.Filter{}, expl{Reason: explain.Reason(feed.HiddenDeleted), Original: 5, HasEntry: true}},
		"another kind": {nil, 2, feed.OfKinds(feed.KindRepost), expl{Reason: explain.OtherKind, HasEntry: true}},
		"pushed":       {nil, 2, feed.Filter{}, expl{Reason: explain.Entry, InFeed: true, Shown: true, HasEntry: true}},
		"own":          {func(v fixture.Service) { v.Post(ann, 5) }, 5, feed.Filter{}, shown(explain.Own)},
		"pending":      {func(v fixture.Service) { v.Post(bob, 5) }, 5, feed.Filter{}, expl{Reason: explain.Pending, InFeed: true}},
		"pulled from an unpushed author": {func(v fixture.Service) {
			v.Flag(bob, feed.FlagUnpushed)
			v.Post(bob, 5)
		}, 5, feed.Filter{}, shown(explain.PulledUnpushed)},
		"pulled into a cold inbox": {func(v fixture.Service) {
			v.EndLeases()
			v.Post(star, 5)
		}, 5, feed.Filter{}, shown(explain.PulledSelective)},
		"pulled from a new followee": {func(v fixture.Service) {
			v.Post(moon, 5)
			v.Follow(ann, moon)
		}, 5, feed.Filter{}, shown(explain.PulledFollow)},
		"below the floor": {func(v fixture.Service) {
			in := v.Header(ann)
			v.ForgeInbox(ann, in.Generation, feed.Build{Floor: in.Keys[0], Version: in.Version, WarmUntil: in.WarmUntil})
		}, 2, feed.Filter{}, shown(explain.BelowFloor)},
		"without an inbox":       {func(v fixture.Service) { v.LoseInbox(ann) }, 2, feed.Filter{}, shown(explain.NoInbox)},
		"while inboxes are down": {func(v fixture.Service) { v.Flaky.Down = true }, 2, feed.Filter{}, expl{Reason: explain.NoInbox, InFeed: true, Shown: true, InboxDown: true}},
		"lost": {func(v fixture.Service) {
			v.AmendInbox(ann, nil, v.Header(ann).Keys[:1])
		}, 2, feed.Filter{}, expl{Reason: explain.Missing, InFeed: true}},
	} {
		t.Run(name, func(t *testing.T) {
			v := fixture.NewSelectivePushed(t)
			if c.before != nil {
				c.before(v)
			}
			got := fixture.Got(v.Explainer().Explain(t.Context(), ann, c.post, c.filter)).Must(t)
			words := got.Words(func(id feed.PostID) feed.PublicID { return feed.PublicID{External: feed.ExternalID("p" + id.String())} })
			if got.Reason == "" || words == string(got.Reason) {
				t.Errorf("the reason %q has the words %q", got.Reason, words)
			}
			if pushed := got.PushedAt > 0; pushed != (got.Reason == explain.Entry) && got.InFeed && name == "pushed" {
				t.Errorf("the post was pushed at %d", got.PushedAt)
			}
			why := expl{
				Reason: got.Reason, Original: got.Original, InFeed: got.InFeed, Shown: got.Shown, HasEntry: got.HasEntry, InboxDown: got.InboxDown,
			}
			if diff := cmp.Diff(c.want, why); diff != "" {
				t.Errorf("the explanation (-want +got):\n%s", diff)
			}
		})
	}
}

func TestExplain_ReturnsErrorsOfStores(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fixture.Got(v.Explainer().Explain(ctx, ann, 2, feed.Filter{})).Fails(t, context.Canceled)
}

func TestInbox_JudgesEntries(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	v.Relate(feed.RelationMute, ann, bob)
	in := fixture.Got(v.Explainer().Inbox(t.Context(), ann, 10)).Must(t)
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
