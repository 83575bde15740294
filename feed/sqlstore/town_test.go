package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// A town is data of a size at which a wrong plan shows: a viewer who follows all authors, and
// authors who publish in turn, every tenth time a repost of another author's post.
const (
	townViewer  feed.UserID = 1
	townAuthors             = 300
	townPosts               = 30_000
	townStart   int64       = 1_700_000_000_000
)

// townAuthor is the i-th author.
func townAuthor(i int) feed.UserID { return feed.UserID(100 + i%townAuthors) }

// townList is all authors.
func townList() []feed.UserID {
	list := make([]feed.UserID, townAuthors)
	for i := range list {
		list[i] = townAuthor(i)
	}
	return list
}

// townTemplate is imported, like the data of a network that moves to Tideline.
var townTemplate = newTemplate(func(ctx context.Context, url string) error {
	s, err := sqlstore.Open(ctx, url, sqlstore.WithPostgres(patient(sqlstore.Postgres{})))
	if err != nil {
		return err
	}
	return errors.Join(buildTown(ctx, s), s.Close())
})

func buildTown(ctx context.Context, s *sqlstore.Store) error {
	batch := []feed.Record{{User: townUser(townViewer)}}
	for i := range townAuthors {
		batch = append(batch,
			feed.Record{User: townUser(townAuthor(i))},
			feed.Record{Follow: &feed.FollowRecord{Follower: townViewer, Followee: townAuthor(i), CreatedAt: townStart}})
	}
	for i := range townPosts {
		batch = append(batch, feed.Record{Post: townPost(i)})
	}
	const batchSize = 5000
	for records := range slices.Chunk(batch, batchSize) {
		if _, err := s.Apply(ctx, feed.Batch{Records: records}); err != nil {
			return err
		}
	}
	// A database in use has such statistics.
	return s.Exec(ctx, "ANALYZE")
}

func townUser(id feed.UserID) *feed.UserRecord {
	return &feed.UserRecord{User: feed.User{ID: id, Handle: fmt.Sprintf("u%d", id), Name: "A user", CreatedAt: townStart}}
}

func townPost(i int) *feed.Post {
	p := &feed.Post{
		ID:          feed.PostID(1000 + i),
		Author:      townAuthor(i),
		Kind:        feed.KindPost,
		Text:        "The tide comes in, the tide goes out.",
		PublishedAt: townStart + int64(i)*1000,
	}
	if i%10 == 9 {
		p.Kind, p.RepostOf = feed.KindRepost, feed.PostID(1000+i-5)
	}
	return p
}

// firstPage and deepPage are the ranges of pages, with one more entry to detect the next page.
func firstPage() feed.Range { return feed.Range{Below: feed.Top, Limit: 21} }

func deepPage() feed.Range {
	r := firstPage()
	r.Below = feed.Key{TS: townStart + townPosts/2*1000}
	return r
}
