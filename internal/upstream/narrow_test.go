package upstream_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
	"github.com/tideline-feeds/tideline/internal/upstream"
)

// press is a service of posts by user 2, which user 1 follows, in front of a store.
type press struct {
	*upstream.Service[feed.PostContent]
	t     *testing.T
	store *sqlstore.Store
	mu    sync.Mutex
	// audience is what the service says of all posts, at a version.
	audience feed.PostAudience
	version  int64
}

func newPress(t *testing.T, audience feed.PostAudience, version int64) *press {
	p := &press{t: t, store: sqlitetest.New(t, time.Now), audience: audience, version: version}
	hide := upstream.NewDeletions("upstream-posts", func(ctx context.Context, b feed.SourceBatch) error {
		return p.ingest(ctx, b)
	}, time.Now, func(err error) { t.Error(err) })
	p.Service = upstream.New(upstream.Options[feed.PostContent]{
		CallOptions: upstream.CallOptions{Name: "posts", Timeout: time.Minute, CallsMax: callsMax, Clock: time.Now},
		Ask:         p.ask, Versions: p.store.ObjectVersions, Gone: hide,
		Narrows: func(ref feed.UpstreamRef, c *feed.PostContent) (feed.PostAudience, bool) {
			return c.Audience, c.Narrows(ref)
		},
		Cache: lrucache.NewContents[feed.Object, feed.PostContent](lrucache.Options{Size: 1000, Bytes: 1 << 20, TTL: freshFor}, staleFor),
	})
	at := feed.Millis(time.Now()) - 1000
	v := feed.ObjectVersion{Number: 5}
	check(t, p.ingest(t.Context(), feed.SourceBatch{Batch: feed.Batch{Records: []feed.Record{
		{Version: v, User: &feed.UserRecord{User: feed.User{ID: 1, Handle: "ann", Name: "Ann", CreatedAt: at}}},
		{Version: v, User: &feed.UserRecord{User: feed.User{ID: 2, Handle: "bob", Name: "Bob", CreatedAt: at}}},
		{Version: v, Follow: &feed.FollowRecord{Follower: 1, Followee: 2, CreatedAt: at}},
		{Version: v, Post: &feed.Post{ID: 7, Author: 2, Kind: feed.KindPost, PublishedAt: at}},
	}}}))
	return p
}

func (p *press) ask(_ context.Context, refs []feed.UpstreamRef) ([]upstream.Answer[feed.PostContent], error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	answers := make([]upstream.Answer[feed.PostContent], len(refs))
	for i := range answers {
		answers[i] = upstream.Answer[feed.PostContent]{
			Status: upstream.Found, Version: feed.ObjectVersion{Number: p.version}, Value: feed.PostContent{Text: "text", Audience: p.audience},
		}
	}
	return answers, nil
}

func (p *press) ingest(ctx context.Context, b feed.SourceBatch) error {
	b.Owned, b.Upstream = feed.RecordTypes{feed.RecordUser, feed.RecordFollow, feed.RecordPost}, feed.RecordTypes{feed.RecordPost}
	got, err := p.store.Ingest(ctx, b)
	for _, bad := range got.Bad {
		if !bad.Hides {
			return errors.New(bad.Reason)
		}
	}
	return err
}

// sees returns the post as a viewer is shown it now, nil if they are not.
func (p *press) sees(viewer feed.UserID) *feed.Post {
	p.t.Helper()
	direct := &timeline.Direct{Relations: p.store, Outboxes: p.store, Posts: p.store, Primary: p.store}
	shown, err := feed.Judge(p.t.Context(), viewer, direct.State(viewer), []feed.PostID{7}, feed.ScopePublic)
	check(p.t, err)
	return shown[0]
}

// A service may say that a post is for fewer viewers than its record did. It is not shown in the operation that
// asks, and from then on only to them.
func TestNarrow_HidesWhatServiceHides(t *testing.T) {
	const stranger, follower, author feed.UserID = 3, 1, 2
	for name, test := range map[string]struct {
		audience feed.PostAudience
		version  int64
		sees     map[feed.UserID]bool
		withheld bool
	}{
		"for followers":                  {feed.AudienceFollowers, 6, map[feed.UserID]bool{follower: true, author: true}, true},
		"an unknown audience":            {feed.AudienceUnknown, 6, map[feed.UserID]bool{}, true},
		"an answer as new as the record": {feed.AudienceFollowers, 5, map[feed.UserID]bool{follower: true, author: true}, true},
		"an answer without a version":    {feed.AudienceFollowers, 0, map[feed.UserID]bool{follower: true, author: true, stranger: true}, true},
		"for everyone":                   {feed.AudiencePublic, 6, map[feed.UserID]bool{follower: true, author: true, stranger: true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPress(t, test.audience, test.version)
			post := p.sees(stranger)
			first := p.Fetch(t.Context(), []feed.UpstreamRef{post.UpstreamRef()})[0]
			same(t, "the first answer is withheld", first.Problem == feed.UpstreamGone && first.Value.Text == "", test.withheld)
			for _, viewer := range []feed.UserID{stranger, follower, author} {
				post := p.sees(viewer)
				same(t, "user "+viewer.String()+" sees the post", post != nil, test.sees[viewer])
				if post != nil {
					again := p.Fetch(t.Context(), []feed.UpstreamRef{post.UpstreamRef()})[0]
					same(t, "user "+viewer.String()+" is shown the text", again.Value.Text == "text", !test.withheld || test.version > 0)
				}
			}
		})
	}
}
