package sqlstore_test

import (
	"fmt"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

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
	// The second post was never there, so only the first one and what waited have changed.
	must(t, l.posted(3, 4, 0))
	want := []string{
		fmt.Sprintf("%d of 1", feed.ChangePublished), fmt.Sprintf("%d of 1", feed.ChangeDeleted),
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
