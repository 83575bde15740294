package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// ingestBatchesOf ingests records of a source that owns all types, so many in a batch.
func ingestBatchesOf(ctx context.Context, s feed.Ingester, records []feed.Record, size int) error {
	for len(records) > 0 {
		n := min(len(records), size)
		batch := feed.Batch{Records: append([]feed.Record{}, records[:n]...), Owned: feed.OwnedTypes()}
		for i := range batch.Records {
			batch.Records[i].Line = i + 1
		}
		if _, err := s.Ingest(ctx, feed.SourceBatch{Batch: batch, Source: "shop"}); err != nil {
			return err
		}
		records = records[n:]
	}
	return nil
}

// A post that returns during its first fan-out has a new one, which no plan of the first ends.
func TestIngest_RestoredPostIsPlannedAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		const author, rounds = 7, 150
		version := int64(0)
		ingest := func(r feed.Record) error {
			version++
			r.Version.Number = version
			return ingestBatchesOf(t.Context(), s, []feed.Record{r}, 1)
		}
		must(t, ingest(feed.Record{User: &feed.UserRecord{User: feed.User{ID: author, Name: "Ann", CreatedAt: 1}}}))
		for id := range feed.PostID(rounds) {
			post := feed.Post{ID: id + 1, Author: author, Kind: feed.KindPost, Text: "a post", PublishedAt: 1}
			deleted := post
			deleted.DeletedAt = 5
			must(t, errors.Join(ingest(feed.Record{Post: &post}), ingest(feed.Record{Post: &deleted})))
			var g errgroup.Group
			g.Go(func() error { return ingest(feed.Record{Post: &post}) })
			for range 2 {
				g.Go(func() error {
					state, err := s.PlanOf(t.Context(), post.ID)
					if err == nil {
						_, err = s.StorePlan(t.Context(), feed.Plan{Post: post.ID, Author: author, Attempt: state.Attempt}, 1)
					}
					return err
				})
			}
			must(t, g.Wait())
			state, err := s.PlanOf(t.Context(), post.ID)
			must(t, err)
			pending, err := s.IsPending(t.Context(), []feed.PostID{post.ID})
			if err != nil || state.Attempt == 0 || state.Stored == pending[0] {
				t.Fatalf("the fan-out of post %d is %+v, and pending: %t, %v", post.ID, state, pending, err)
			}
		}
	})
}

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

// posted ingests posts of user 1 with ids from first to last.
func (l *logged) posted(first, last feed.PostID, endedAt int64) error {
	var records []feed.Record
	for id := first; id <= last; id++ {
		post := &feed.Post{ID: id, Author: 1, Kind: feed.KindPost, Text: "a post", PublishedAt: 1, DeletedAt: endedAt}
		records = append(records, feed.Record{Post: post, EndedAt: endedAt, Version: feed.ObjectVersion{Number: endedAt + 1}})
	}
	return ingestBatchesOf(l.t.Context(), l, records, len(records))
}

// unnumbered returns the changes after the place, without numbering any.
func (l *logged) unnumbered() (changes []string) {
	l.t.Helper()
	list, _, err := l.Changes(l.t.Context(), l.place, 10_000)
	must(l.t, err)
	for _, c := range list {
		changes = append(changes, fmt.Sprintf("%d of %d", c.Kind, c.Post))
	}
	return changes
}

func TestIngest_LargeBatchNumbersItsChanges(t *testing.T) {
	l := newLogged(t, emptyTemplate.url(t, "postgres"))
	l.Set(sqlstore.NumberFrom(2))
	must(t, l.posted(1, 1, 0))
	if got := l.unnumbered(); len(got) > 0 {
		t.Fatalf("a small batch has numbered %v", got)
	}
	must(t, l.posted(1, 2, 5))
	// The second post was never there. It is stored as deleted, for comments on it.
	must(t, l.posted(3, 4, 0))
	want := []string{
		fmt.Sprintf("%d of 1", feed.ChangePublished), fmt.Sprintf("%d of 1", feed.ChangeDeleted), fmt.Sprintf("%d of 2", feed.ChangePublished),
		fmt.Sprintf("%d of 3", feed.ChangePublished), fmt.Sprintf("%d of 4", feed.ChangePublished),
	}
	if got := l.unnumbered(); !slices.Equal(got, want) {
		t.Errorf("the log has %v, want %v", got, want)
	}
	if waiting, err := l.WaitingChanges(t.Context(), 10); err != nil || waiting.Changes > 0 {
		t.Errorf("%+v wait, %v", waiting, err)
	}
}

func TestIngest_LongQueueStaysFirst(t *testing.T) {
	l := newLogged(t, emptyTemplate.url(t, "postgres"))
	must(t, l.posted(1, 1200, 0))
	l.place = l.number()
	l.Set(sqlstore.NumberFrom(10_000))
	must(t, l.posted(1, 1200, 5))
	l.Set(sqlstore.NumberFrom(2))
	must(t, l.posted(2001, 2010, 0))
	if got := l.unnumbered(); len(got) != 1000 {
		t.Errorf("the batch has numbered %d changes of the queue", len(got))
	}
	l.number()
	got := l.unnumbered()
	if want := fmt.Sprintf("%d of 2010", feed.ChangePublished); len(got) != 1210 || got[1209] != want {
		t.Errorf("the log has %d changes, the last is %s", len(got), got[len(got)-1])
	}
}

// Batches that number their changes, batches that queue them, and the numbering process take turns.
func TestIngest_ConcurrentBatchesLeaveNoGap(t *testing.T) {
	l := newLogged(t, emptyTemplate.url(t, "postgres"))
	l.Set(sqlstore.NumberFrom(3))
	const writers, batches, each = 4, 30, 5
	var g errgroup.Group
	posts := 0
	for w := range feed.PostID(writers) {
		sizes := make([]feed.PostID, batches)
		for i := range sizes {
			sizes[i] = 1 + (w+feed.PostID(i))%each
			posts += int(sizes[i])
		}
		g.Go(func() error {
			next := 1 + 1000*w
			for _, n := range sizes {
				if err := l.posted(next, next+n-1, 0); err != nil {
					return err
				}
				next += n
			}
			return nil
		})
	}
	written := make(chan error, 1)
	go func() { written <- g.Wait() }()
	seen := 0
	for done := false; !done; {
		select {
		case err := <-written:
			must(t, err)
			done = true
		default:
		}
		seen += len(l.news()) // fails at a gap
	}
	if seen != posts {
		t.Errorf("a reader has seen %d of %d changes", seen, posts)
	}
}
