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

// began is when the network's first post may have been published, the first of January
// 2026 in milliseconds since the epoch, and span how long its contents are spread over.
const (
	began = 1_767_225_600_000
	span  = 180 * 24 * time.Hour
)

// grain is what publish times are multiples of. A coarse one makes many equal times, which
// feeds must tell apart by id.
const grain = 10 * time.Second

// Ids of posts are made as the program makes its own (feed.NewPostIDs): milliseconds since idEpoch,
// the first of January 2020, above idLowBits more bits. So ids ascend with time, and the newest
// posts, which are read most, are next to each other in tables and indexes. The program's lower
// bits are random; here they encode the author and the author's post number, so that ids are
// unique. They need more bits than there are, and reach into the milliseconds, which are free up to
// the grain of times.
const (
	idEpoch   = 1_577_836_800_000
	idLowBits = 22
	slotBits  = 10
)

// slots is how many posts, or live sessions, one user may have at most.
const slots = 1000

// usersMax is below which number users must be for no two posts to have the same id.
const usersMax = int64(grain/time.Millisecond) << (idLowBits - slotBits)

// words are what texts are made of.
func words() [12]string {
	return [...]string{
		"harbour", "lantern", "meadow", "quarry", "ripple", "saddle",
		"timber", "willow", "ember", "canyon", "drift", "orchard",
	}
}

// textWords is how many words a text has: so many that a page of twenty is of 9.5 kB with
// what else a client asks for.
const textWords = 7

// draft is a post, and what its text is made of.
type draft struct {
	id, author, ts int64
	words          uint64
}

func (d draft) post() Post { return Post{ID: d.id, Author: d.author, TS: d.ts, Text: text(d.words)} }

// drafts returns what a user has published, in no order.
func (s Size) drafts(user int64) []draft {
	r := s.rand(user, streamPosts)
	out := make([]draft, s.Posts)
	for n := range out {
		ts := began + r.Int64N(int64(span/grain))*grain.Milliseconds()
		out[n] = draft{id: (ts-idEpoch)<<idLowBits + user<<slotBits + int64(n), author: user, ts: ts, words: r.Uint64()}
	}
	return out
}

// Outbox returns what a user has published, in no order.
func (s Size) Outbox(user int64) []Post {
	out := make([]Post, 0, s.Posts)
	for _, d := range s.drafts(user) {
		out = append(out, d.post())
	}
	return out
}

// text makes a text of a number.
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

// Handle returns a user's handle, Name the name, and Avatar the URL of the picture.
func Handle(user int64) string { return fmt.Sprintf("user%d", user) }

// Name returns a user's name.
func Name(user int64) string { return fmt.Sprintf("User Number %d", user) }

// Avatar returns the URL of a user's picture.
func Avatar(user int64) string { return fmt.Sprintf("https://images.example/avatars/%d.png", user) }

// Likes returns how many likes a post has: every fourth is liked by its own author.
func Likes(p Post) int {
	if p.ID%4 == 0 {
		return 1
	}
	return 0
}

// Feed is what must be in a viewer's home feed.
type Feed struct {
	// Posts are the first ones, newest first, as many as were asked for.
	Posts []Post
	// Sources are those whose posts may stand in the feed.
	Sources map[int64]bool
	// Length is how many posts the whole feed has.
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
	// A part of it would keep all of it in memory.
	f.Posts = slices.Clone(f.Posts[:min(n, len(f.Posts))])
	return f
}
