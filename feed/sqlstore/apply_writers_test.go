package sqlstore_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
)

// Eight services send records of the same few users, each in batches of its own. None is refused, and
// what is stored is what one service would have sent in order.
func TestIngest_EightWritersAreNotRefused(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("the seed is %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	records := changesOfFewUsers(r)
	s := opened(t, emptyTemplate.url(t, "postgres"))
	var g errgroup.Group
	for range 8 {
		mine := slices.Clone(records)
		r.Shuffle(len(mine), func(i, j int) { mine[i], mine[j] = mine[j], mine[i] })
		g.Go(func() error { return ingestBatchesOf(t.Context(), s, mine, 250) })
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
	if letters, err := s.DeadLetters(t.Context(), "", 0, 10); err != nil || len(letters) > 0 {
		t.Errorf("there are dead letters: %+v, %v", letters, err)
	}
	inOrder := sqliteBackend(t).open(t)
	must(t, ingestBatchesOf(t.Context(), inOrder, records, len(records)))
	// A post whose deletion arrives first is never stored, and has no reactions.
	isOfDeleted := func(r feed.Record) bool {
		return r.Post != nil && r.Post.IsDeleted() || r.Reaction != nil && isDeletedInTheEnd(r.Reaction.Post)
	}
	want, got := slices.DeleteFunc(exportOf(t, inOrder), isOfDeleted), slices.DeleteFunc(exportOf(t, s), isOfDeleted)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("eight writers stored something else than one (-one +eight):\n%s", diff)
	}
}

func isDeletedInTheEnd(id feed.PostID) bool { return id%2 == 0 }

// changesOfFewUsers returns records with versions, in order: users change their handles, follow and
// mute each other, write and like posts, and end it again.
func changesOfFewUsers(r *rand.Rand) (list []feed.Record) {
	const users, posts, changes = 40, 100, 1200
	authorOf := func(p feed.PostID) feed.UserID { return 1 + feed.UserID(p)%users }
	for version := range int64(changes) {
		a, b := feed.UserID(1+r.IntN(users)), feed.UserID(1+r.IntN(users))
		for a == b {
			b = feed.UserID(1 + r.IntN(users))
		}
		post := feed.PostID(1 + r.IntN(posts))
		record := feed.Record{Version: feed.ObjectVersion{Number: version + 1}}
		switch r.IntN(6) {
		case 0:
			u := feed.User{ID: a, Handle: "u" + a.String() + "x" + b.String(), Name: "User", CreatedAt: 1}
			record.User = &feed.UserRecord{User: u}
		case 1, 2:
			record.Follow = &feed.FollowRecord{Follower: a, Followee: b, CreatedAt: version}
		case 3:
			record.Relation = &feed.RelationRecord{Kind: feed.RelationMute, User: a, Target: b, CreatedAt: version}
		case 4:
			record.Reaction = &feed.ReactionRecord{Reaction: feed.ReactionLike, User: a, Post: post, CreatedAt: version}
		case 5:
			record.Post = &feed.Post{ID: post, Author: authorOf(post), Kind: feed.KindPost, Text: "post " + b.String(), PublishedAt: 1}
			if r.IntN(3) == 0 {
				record.Post.DeletedAt = 5
			}
		}
		if record.User == nil && record.Post == nil && r.IntN(3) == 0 {
			record.EndedAt = 5
		}
		list = append(list, record)
	}
	// What is gone in the end keeps what arrived before, so all users and half of the posts return.
	last := feed.ObjectVersion{Number: changes + 1}
	for id := range feed.UserID(users) {
		u := feed.User{ID: id + 1, Handle: "user" + (id + 1).String(), CreatedAt: 1}
		list = append(list, feed.Record{User: &feed.UserRecord{User: u}, Version: last})
	}
	for id := range feed.PostID(posts) {
		p := feed.Post{ID: id + 1, Author: authorOf(id + 1), Kind: feed.KindPost, Text: "the last text", PublishedAt: 1}
		if isDeletedInTheEnd(p.ID) {
			p.DeletedAt = 5
		}
		list = append(list, feed.Record{Post: &p, Version: last})
	}
	return list
}
