package examine_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/examine"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/publish"
)

type expl = examine.Explanation

// hidden explains why a post with an entry in the inbox is not in the feed.
func hidden(why feed.Hidden) expl { return expl{Reason: examine.Reason(why), HasEntry: true} }

// shown explains why a post without an entry in the inbox is in the feed.
func shown(why examine.Reason) expl { return expl{Reason: why, InFeed: true, Shown: true} }

// The home model compares explanations with random histories. This test has one of each reason.
func TestExplain_NamesEachReason(t *testing.T) {
	for name, c := range map[string]struct {
		before func(v fixture.Service)
		post   feed.PostID
		filter feed.Filter
		want   examine.Explanation
	}{
		"not stored":            {nil, 99, feed.Filter{}, expl{Reason: examine.Reason(feed.HiddenNotStored)}},
		"deleted":               {func(v fixture.Service) { v.Delete(bob, 2) }, 2, feed.Filter{}, hidden(feed.HiddenDeleted)},
		"not followed":          {func(v fixture.Service) { v.Post(moon, 5) }, 5, feed.Filter{}, expl{Reason: examine.Reason(feed.HiddenNotFollowed)}},
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
		}, 6, feed.Filter{}, expl{Reason: examine.Reason(feed.HiddenDeleted), Original: 5, HasEntry: true}},
		"another kind": {nil, 2, feed.OfKinds(feed.KindRepost), expl{Reason: examine.OtherKind, HasEntry: true}},
		"pushed":       {nil, 2, feed.Filter{}, expl{Reason: examine.Entry, InFeed: true, Shown: true, HasEntry: true}},
		"own":          {func(v fixture.Service) { v.Post(ann, 5) }, 5, feed.Filter{}, shown(examine.Own)},
		"pending":      {func(v fixture.Service) { v.Post(bob, 5) }, 5, feed.Filter{}, expl{Reason: examine.Pending, InFeed: true}},
		"pulled from an unpushed author": {func(v fixture.Service) {
			v.Flag(bob, feed.FlagUnpushed)
			v.Post(bob, 5)
		}, 5, feed.Filter{}, shown(examine.PulledUnpushed)},
		"pulled into a cold inbox": {func(v fixture.Service) {
			v.EndLeases()
			v.Post(star, 5)
		}, 5, feed.Filter{}, shown(examine.PulledSelective)},
		"pulled from a new followee": {func(v fixture.Service) {
			v.Post(moon, 5)
			v.Follow(ann, moon)
		}, 5, feed.Filter{}, shown(examine.PulledFollow)},
		"below the floor": {func(v fixture.Service) {
			in := v.Header(ann)
			v.ForgeInbox(ann, in.Generation, feed.Build{Floor: in.Keys[0], Version: in.Version, WarmUntil: in.WarmUntil})
		}, 2, feed.Filter{}, shown(examine.BelowFloor)},
		"without an inbox":       {func(v fixture.Service) { v.LoseInbox(ann) }, 2, feed.Filter{}, shown(examine.NoInbox)},
		"while inboxes are down": {func(v fixture.Service) { v.Flaky.Down = true }, 2, feed.Filter{}, expl{Reason: examine.NoInbox, InFeed: true, Shown: true, InboxDown: true}},
		"lost": {func(v fixture.Service) {
			v.AmendInbox(ann, nil, v.Header(ann).Keys[:1])
		}, 2, feed.Filter{}, expl{Reason: examine.Missing, InFeed: true}},
	} {
		t.Run(name, func(t *testing.T) {
			v := fixture.NewSelectivePushed(t)
			if c.before != nil {
				c.before(v)
			}
			got := fixture.Got(v.Examiner().Explain(t.Context(), ann, c.post, c.filter)).Must(t)
			words := got.Words(func(id feed.PostID) feed.PublicID { return feed.PublicID{External: feed.ExternalID("p" + id.String())} })
			if got.Reason == "" || words == string(got.Reason) {
				t.Errorf("the reason %q has the words %q", got.Reason, words)
			}
			if pushed := got.PushedAt > 0; pushed != (got.Reason == examine.Entry) && got.InFeed && name == "pushed" {
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
	fixture.Got(v.Examiner().Explain(ctx, ann, 2, feed.Filter{})).Fails(t, context.Canceled)
}

func TestInbox_JudgesEntries(t *testing.T) {
	v := fixture.NewSelectivePushed(t)
	v.Relate(feed.RelationMute, ann, bob)
	in := fixture.Got(v.Examiner().Inbox(t.Context(), ann, 10)).Must(t)
	reasons := map[feed.UserID]examine.Reason{}
	for _, e := range in.Entries {
		reasons[e.Author] = e.Reason
	}
	if len(in.Entries) != 2 || reasons[bob] != examine.Reason(feed.HiddenMuted) || reasons[star] != "" {
		t.Errorf("the entries are %+v", in.Entries)
	}
	if want := "warm: covers followed authors, except those whose posts are not all pushed; not updated yet after a follow, mute or block"; in.Words() != want {
		t.Errorf("the inbox is %q, want %q", in.Words(), want)
	}
}

func TestWhy_LooksAgainBeforeMissing(t *testing.T) {
	for repaired, want := range map[int]examine.Reason{1: examine.Entry, 2: examine.Entry, 3: examine.Missing} {
		v := fixture.NewSelectivePushed(t)
		lost := v.Header(ann).Keys[:1]
		v.AmendInbox(ann, nil, lost)
		x, pauses := v.Examiner(), 0
		x.Pause = func(context.Context) error {
			if pauses++; pauses == repaired {
				v.AmendInbox(ann, lost, nil)
			}
			return nil
		}
		e := fixture.Got(x.Why(t.Context(), ann, 2)).Must(t)
		if e.Reason != want || pauses != min(repaired, 2) {
			t.Errorf("repaired in pause %d: %d pauses, and the reason is %s", repaired, pauses, e.Reason)
		}
	}
}
