package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/batch"
)

// selectPosts reads the columns of scanPost; a condition on c follows it. A content
// is deleted with its author's account, whatever its own row says as yet: until all do,
// the account is among [leavers].
const selectPosts = `
SELECT c.id, c.author_id, c.kind, c.text, c.media, c.reply_to, c.repost_of, c.published_at, c.edited_at,
       CASE WHEN c.deleted_at = 0 AND c.author_id IN ` + leavers + `
            THEN (SELECT p.deleted_at FROM purges AS p WHERE p.user_id = c.author_id) ELSE c.deleted_at END
FROM contents AS c `

// scanner is one row: a *sql.Row, or the current one of *sql.Rows.
type scanner interface {
	Scan(dest ...any) error
}

func scanPost[Row scanner](row Row) (*feed.Post, error) { return eachItsOwn(postScanner[Row]())(row) }

// postScanner returns what scans many rows, one after the other: what they are scanned into is
// made once, where twenty contents took a piece of memory each for it.
func postScanner[Row scanner]() func(Row) (feed.Post, error) {
	var p feed.Post
	var media string
	columns := []any{
		&p.ID, &p.Author, &p.Kind, &p.Text, &media, &p.ReplyTo, &p.RepostOf, &p.PublishedAt, &p.EditedAt, &p.DeletedAt,
	}
	return func(row Row) (feed.Post, error) {
		err := row.Scan(columns...)
		if err != nil {
			return feed.Post{}, err
		}
		if p.Media, err = decodeMedia(media); err != nil {
			return feed.Post{}, fmt.Errorf("content %d: %w", p.ID, err)
		}
		return p, nil
	}
}

// eachItsOwn has values that are scanned stand by themselves, for whoever keeps some of them.
func eachItsOwn[Row scanner, T any](scan func(Row) (T, error)) func(Row) (*T, error) {
	return func(row Row) (*T, error) {
		v, err := scan(row)
		if err != nil {
			return nil, err
		}
		return &v, nil
	}
}

// noMedia is what the media column holds for most contents.
const noMedia = "[]"

func encodeMedia(media []string) (string, error) {
	if len(media) == 0 {
		return noMedia, nil
	}
	text, err := json.Marshal(media)
	return string(text), err
}

func decodeMedia(text string) ([]string, error) {
	if text == noMedia {
		return nil, nil
	}
	var media []string
	err := json.Unmarshal([]byte(text), &media)
	return media, err
}

// Posts implements [feed.Posts].
func (s *Store) Posts(ctx context.Context, list []feed.ContentID) ([]*feed.Post, error) {
	return s.lookups.posts.All(ctx, list)
}

func (s *Store) askPosts(list batch.Keys[feed.ContentID]) reading[*feed.Post] {
	return eachFound(s.d, list, s.selectPosts(), eachItsOwn(postScanner[scanner]()), func(p *feed.Post) feed.ContentID { return p.ID })
}

// selectPosts reads the contents that its argument lists.
func (s *Store) selectPosts() string { return selectPosts + "WHERE " + s.d.in("c.id", 1) }

// eachFound reads one row per id, in the order of the ids, with nil for an id that has none.
func eachFound[ID ~int64, T any](d dialect, list batch.Keys[ID], text string, scan func(scanner) (*T, error), idOf func(*T) ID) reading[*T] {
	found := make([]*T, len(list.List))
	row := placing(list, scanByID(scan, idOf), func(place int, v *T) { found[place] = v })
	return reading[*T]{statement{text: text, args: []any{ids(d, list.List)}, row: row}, func() []*T { return found }}
}

// scanByID returns what scans rows into values that have their keys in them.
func scanByID[ID comparable, T any](scan func(scanner) (T, error), idOf func(T) ID) keyed[ID, T] {
	return func(row scanner) (id ID, v T, err error) {
		if v, err = scan(row); err == nil {
			id = idOf(v)
		}
		return id, v, err
	}
}
