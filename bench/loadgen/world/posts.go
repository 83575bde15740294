package world

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Post is one post.
type Post struct {
	ID, Author int64
	// TS is the publish time, in milliseconds since the epoch.
	TS   int64
	Text string
}

// began is the earliest publish time, 1 January 2026 in milliseconds since the epoch. span is the
// period over which posts are distributed.
const (
	began = 1_767_225_600_000
	span  = 180 * 24 * time.Hour
)

// grain is the resolution of publish times. A coarse grain makes many equal times, which feeds must
// order by id.
const grain = 10 * time.Second

// Post ids have the layout of feed.NewPostIDs: milliseconds since idEpoch, 1 January 2020, above
// idLowBits lower bits. Ids ascend with time, so the newest posts, which are read most, are
// adjacent in tables and indexes. The program's lower bits are random. Here they encode the author
// and the author's post number, so that ids are unique. This takes more than idLowBits bits and
// uses the milliseconds below grain as well.
const (
	idEpoch   = 1_577_836_800_000
	idLowBits = 22
	slotBits  = 10
)

// slots is the maximum number of posts, or of live sessions, per user.
const slots = 1000

// usersMax is the exclusive upper bound of user ids. Above it, ids of posts could collide.
const usersMax = int64(grain/time.Millisecond) << (idLowBits - slotBits)

// words returns the vocabulary of texts.
func words() [12]string {
	return [...]string{
		"harbour", "lantern", "meadow", "quarry", "ripple", "saddle",
		"timber", "willow", "ember", "canyon", "drift", "orchard",
	}
}

// textWords is the number of words of a text. It makes a page of twenty posts, with the other
// requested fields, 9.5 kB long.
const textWords = 7

// draft is a post with the number that its text is made of.
type draft struct {
	id, author, ts int64
	words          uint64
}

func (d draft) post() Post { return Post{ID: d.id, Author: d.author, TS: d.ts, Text: text(d.words)} }

// drafts returns a user's posts in no particular order.
func (s Size) drafts(user int64) []draft {
	r := s.rand(user, streamPosts)
	out := make([]draft, s.Posts)
	for n := range out {
		ts := began + r.Int64N(int64(span/grain))*grain.Milliseconds()
		out[n] = draft{id: (ts-idEpoch)<<idLowBits + user<<slotBits + int64(n), author: user, ts: ts, words: r.Uint64()}
	}
	return out
}

// Outbox returns a user's posts in no particular order.
func (s Size) Outbox(user int64) []Post {
	out := make([]Post, 0, s.Posts)
	for _, d := range s.drafts(user) {
		out = append(out, d.post())
	}
	return out
}

// text derives a text from a number.
func text(n uint64) string {
	all := words()
	var b strings.Builder
	for range textWords {
		b.WriteString(all[n%uint64(len(all))])
		b.WriteByte(' ')
		n /= uint64(len(all))
	}
	return strings.TrimSpace(b.String())
}

// Handle returns a user's handle.
func Handle(user int64) string { return fmt.Sprintf("user%d", user) }

// Name returns a user's name.
func Name(user int64) string { return fmt.Sprintf("User Number %d", user) }

// Avatar returns the URL of a user's picture.
func Avatar(user int64) string { return fmt.Sprintf("https://images.example/avatars/%d.png", user) }

// Likes returns the number of likes of a post. The author likes every fourth post.
func Likes(p Post) int {
	if p.ID%4 == 0 {
		return 1
	}
	return 0
}

// Feed is the expected home feed of a viewer.
type Feed struct {
	// Posts are the first posts, newest first, up to the requested number.
	Posts []Post
	// Sources are the users whose posts belong to the feed.
	Sources map[int64]bool
	// Length is the number of posts of the whole feed.
	Length int
}

// Home computes a viewer's home feed down to its n-th post: everything by the viewer and followed
// users, newest first, larger ids first at equal times.
func (s Size) Home(viewer int64, n int) Feed {
	f := Feed{Sources: map[int64]bool{viewer: true}}
	for _, id := range s.Followees(viewer) {
		f.Sources[id] = true
	}
	for id := range f.Sources {
		f.Posts = append(f.Posts, s.Outbox(id)...)
	}
	f.Length = len(f.Posts)
	slices.SortFunc(f.Posts, func(a, b Post) int {
		return cmp.Or(cmp.Compare(b.TS, a.TS), cmp.Compare(b.ID, a.ID))
	})
	// A subslice would retain the whole array.
	f.Posts = slices.Clone(f.Posts[:min(n, len(f.Posts))])
	return f
}
