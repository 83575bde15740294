package sqlstore_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
)

// Records of one object are in several batches at the same time, as tasks that are sent twice are.
func TestIngest_ConcurrentCopiesLeaveTheNewest(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		seed := rand.Uint64()
		t.Logf("the seed is %d", seed)
		r := rand.New(rand.NewPCG(seed, 1))
		const posts, versions, author = 30, 12, 7
		records := []feed.Record{{User: &feed.UserRecord{User: feed.User{ID: author, Name: "Ann", CreatedAt: 1}}, Version: feed.ObjectVersion{Number: 1}}}
		deleted := map[feed.PostID]bool{}
		for id := range feed.PostID(posts) {
			for v := range int64(versions) {
				post := &feed.Post{ID: id + 1, Author: author, Kind: feed.KindPost, Text: "a post", PublishedAt: 1}
				record := feed.Record{Post: post, Version: feed.ObjectVersion{Number: v + 1}}
				if deleted[id+1] = r.IntN(2) == 0; deleted[id+1] {
					post.DeletedAt, record.EndedAt = 5, 5
				}
				records = append(records, record)
			}
		}
		var g errgroup.Group
		for range 4 {
			mine := append(append([]feed.Record{}, records...), records...)
			r.Shuffle(len(mine), func(i, j int) { mine[i], mine[j] = mine[j], mine[i] })
			g.Go(func() error { return ingestInBatches(t.Context(), s, mine) })
		}
		if err := g.Wait(); err != nil {
			t.Fatal(err)
		}
		if letters, err := s.DeadLetters(t.Context(), "", 0, 10); err != nil || len(letters) > 0 {
			t.Errorf("there are dead letters: %+v, %v", letters, err)
		}
		var ids []feed.PostID
		for id := range deleted {
			ids = append(ids, id)
		}
		stored, err := s.Posts(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		for i, id := range ids {
			if gone := stored[i] == nil || stored[i].IsDeleted(); gone != deleted[id] {
				t.Errorf("post %d is deleted: %t; the newest record says %t", id, gone, deleted[id])
			}
		}
	})
}

type ingester interface {
	Ingest(ctx context.Context, b feed.SourceBatch) (feed.Ingested, error)
}

func ingestInBatches(ctx context.Context, s ingester, records []feed.Record) error {
	return ingestBatchesOf(ctx, s, records, 15)
}

func ingestBatchesOf(ctx context.Context, s ingester, records []feed.Record, size int) error {
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
