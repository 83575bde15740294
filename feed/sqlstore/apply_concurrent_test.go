package sqlstore_test

import (
	"context"
	"errors"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
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
