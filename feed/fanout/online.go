package fanout

import (
	"context"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// onlineWithin is how long pushes to followers who are online may delay a plan.
const onlineWithin = 2 * time.Second

// pushOnline pushes a post of an author with some followers to those who are online, before its slices
// are planned. It logs the pushes to connected ones, so that their subscriptions send the post.
//
// It only adds: the slices serve these followers again. So a failure, and a list of users that is
// out of date, delay posts and lose none. It returns the number of followers pushed to, and that of
// those notified.
func (f *Fanout) pushOnline(ctx context.Context, post *feed.Post, followers int64) (pushed, notified int) {
	limit := min(f.Policy.OnlineFirst, int(followers)/f.Policy.OnlineShare)
	if f.Online == nil || limit == 0 {
		return 0, 0
	}
	ctx, cancel := context.WithTimeout(ctx, onlineWithin)
	defer cancel()
	online, err := f.Online.Online(ctx)
	if err == nil {
		pushed, notified, err = f.pushFirst(ctx, post, online, limit)
	}
	if err != nil && f.Trace.PushFirstFailed != nil {
		f.Trace.PushFirstFailed(post.ID, err)
	}
	return pushed, notified
}

// pushFirst serves connected followers before those who were seen, and special ones before others of
// either, limit of all.
func (f *Fanout) pushFirst(ctx context.Context, post *feed.Post, online feed.Online, limit int) (pushed, notified int, err error) {
	special, err := f.Audience.SpecialFollowersAmong(ctx, post.Author, slices.Concat(online.Connected, online.Seen))
	if err != nil {
		return 0, 0, err
	}
	first := setOf(special)
	connected, err := f.pushAmong(ctx, post, withFirst(online.Connected, first), limit)
	if err != nil {
		return 0, 0, err
	}
	if len(connected) > 0 {
		// Notified before the push, a viewer could read a page without the post.
		if err := f.Announced.LogPushed(ctx, post, connected); err != nil {
			return len(connected), 0, err
		}
	}
	now := feed.Millis(f.Clock())
	served := setOf(connected)
	others := slices.DeleteFunc(withFirst(online.Seen, first), func(id feed.UserID) bool { return served[id] })
	seen, err := f.pushAmong(ctx, post, others, limit-len(connected))
	if f.Trace.PushedFirst != nil {
		lag := time.Duration(now-post.Key().AcceptedAt(now)) * time.Millisecond
		f.Trace.PushedFirst(post.ID, len(connected)+len(seen), len(connected), lag)
	}
	return len(connected) + len(seen), len(connected), err
}

// withFirst returns a copy of a list that begins with those of the users that are first.
func withFirst(users []feed.UserID, first map[feed.UserID]bool) []feed.UserID {
	return slices.SortedStableFunc(slices.Values(users), func(a, b feed.UserID) int {
		switch {
		case first[a] == first[b]:
			return 0
		case first[a]:
			return -1
		}
		return 1
	})
}

// pushAmong pushes a post to those of the users who follow its author, up to limit, and returns them.
// It looks up users by the primary key of follows, so the number of followers does not matter.
func (f *Fanout) pushAmong(ctx context.Context, post *feed.Post, users []feed.UserID, limit int) ([]feed.UserID, error) {
	var found []feed.UserID
	// Most online users follow a popular author, so the first look-up usually finds enough.
	for size := min(limit, f.Policy.SliceSize); len(found) < limit && len(users) > 0; size = min(2*size, f.Policy.SliceSize) {
		some := users[:min(size, len(users))]
		users = users[len(some):]
		among, err := f.Audience.FollowersAmong(ctx, post.Author, some)
		if err != nil {
			return nil, err
		}
		found = append(found, among...)
	}
	found = found[:min(len(found), limit)]
	for some := range slices.Chunk(found, f.Policy.PushBatch) {
		if _, err := f.Inboxes.Push(ctx, some, post.Key()); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func setOf(ids []feed.UserID) map[feed.UserID]bool {
	set := make(map[feed.UserID]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}
