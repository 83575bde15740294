package app

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/feed/subscribe"
)

// No worker pushes slices here, so only followers who are online get the post: one with a
// subscription, and one who has read their feed.
func TestOnlineFirst_NotifiesBeforeAnySlice(t *testing.T) {
	v := newHomeReads(t, cacheSettings{}, 1)
	viewers := v.viewers(t, 3, 1)
	v.build(t, viewers)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	follower, _ := v.timeline.Places.(*changes.Follower)
	catchUp := func() {
		_, _, err := v.st.sql.NumberChanges(ctx, 10_000)
		check(t, err)
		check(t, follower.CatchUp(ctx))
	}
	catchUp()
	sub, err := v.subscribe.Subscribe(ctx, viewers[0], subscribe.Query{})
	check(t, err)
	defer sub.Close()
	_, err = v.timeline.Page(ctx, viewers[1], feed.PageQuery{})
	check(t, err)
	check(t, v.online.Write(ctx))

	v.publisher.Policy.Fanout = feed.FanoutPull // the publish plans nothing
	post, err := v.publisher.Publish(ctx, 1, publish.Draft{Text: "news"})
	check(t, err)
	check(t, v.fanout.Dispatch(ctx, post.ID))
	catchUp()
	added, err := feedtest.NextEdge(ctx, sub)
	check(t, err)
	if added.ID != post.ID {
		t.Errorf("the subscriber received post %d, want %d", added.ID, post.ID)
	}
	for i, want := range []bool{true, true, false} {
		in, err := v.fanout.Inboxes.Read(ctx, viewers[i], feed.Range{Below: feed.Top, Limit: 100})
		check(t, err)
		if has := slices.Contains(in.Keys, post.Key()); has != want {
			t.Errorf("the inbox of follower %d has the post: %t, want %t", i, has, want)
		}
	}
}
