package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// ingestRepostChains sends reposts before what they repost, so no record alone shows the chain.
func ingestRepostChains(w *world) {
	const first = 100
	last := first + feed.PostID(feed.DefaultPolicy().RepostDepth)
	w.ingest(userRecord(ann), userRecord(bob), followRecord(bob, ann))
	for id := last + 2; id > first; id-- {
		w.ingest(repostRecord(id, ann, id-1))
	}
	w.ingest(repostRecord(1, ann, 2), repostRecord(2, ann, 3), repostRecord(3, ann, 1), repostRecord(4, ann, 4))
	w.same("the feed without the original", len(w.feedOf(bob)), 0)
	w.ingest(postRecord(first, ann))

	var want []feed.Key
	var ids []feed.PostID
	for id := last + 2; id >= first; id-- {
		ids = append(ids, id)
		if id <= last {
			want = append(want, feed.Key{TS: noon, ID: int64(id)})
		}
	}
	w.same("the feed", w.feedOf(bob), want)
	viewers := timeline.Direct{Relations: w.Relations, Outboxes: w.Outboxes, Posts: w.Posts, Primary: w.Posts}
	judged, err := feed.Judge(w.ctx, bob, viewers.State(bob), append(ids, 1, 2, 3, 4), feed.ScopeHome)
	w.must(err)
	var shown []feed.Key
	for _, p := range judged {
		if p != nil {
			shown = append(shown, p.Key())
		}
	}
	w.same("the posts that reads show", shown, want)
}
