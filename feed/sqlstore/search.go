package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// SearchUsers implements [feed.Profiles]. The index is read from where the words
// that begin with words[0] stand, and the other words only sift what is found there.
func (s *Store) SearchUsers(ctx context.Context, words []string, r feed.Range) ([]feed.Key, error) {
	stmt, args := s.searchQuery(words, r)
	return s.keys(ctx, stmt, args)
}

// searchQuery takes $1 for the word that is looked up and $7 for the others. Of a
// user's words that begin with $1 only the one of the largest place counts, so that
// nobody is found twice; of two at the same place, either will do.
func (s *Store) searchQuery(words []string, r feed.Range) (stmt string, args []any) {
	stmt = `
SELECT w.place, w.user_id FROM user_words AS w
WHERE ` + within("w.place", "w.user_id") + ` AND ` + begins("w.word", "CAST($1 AS TEXT)") + `
  AND NOT EXISTS (
    SELECT 1 FROM user_words AS better
    WHERE better.user_id = w.user_id AND (better.place, better.word) > (w.place, w.word)
      AND ` + begins("better.word", "CAST($1 AS TEXT)") + `)
  AND NOT EXISTS (
    SELECT 1 FROM ` + s.d.texts(7, "wanted") + ` WHERE NOT EXISTS (
      SELECT 1 FROM user_words AS own WHERE own.user_id = w.user_id AND ` + begins("own.word", "wanted.text") + `))
` + ordered("w.place", "w.user_id", r)
	return stmt, append(rangeArgs(words[0], feed.WithinPrefix(r, words[0])), textList(s.d, words[1:]))
}

// begins returns the condition that a text begins with a prefix. LIKE would take
// some characters of a prefix for more than themselves.
func begins(text, prefix string) string {
	return fmt.Sprintf("substr(%s, 1, length(%s)) = %s", text, prefix, prefix)
}

// userText is a word that a user is found by, or a skeleton of their handle.
type userText struct {
	user feed.UserID
	text string
}

// textsOf returns the words or the skeletons of one user.
func textsOf(user feed.UserID, list []string) []userText {
	return mapped(list, func(text string) userText { return userText{user, text} })
}

// writeWords stores the words that users, who have none, are found by.
func (s *Store) writeWords(ctx context.Context, tx *sql.Tx, users []*feed.User) error {
	var words []userText
	for _, u := range users {
		words = append(words, textsOf(u.ID, feed.SearchWords(u.Handle, u.Name))...)
	}
	_, err := s.d.insertRows(ctx, tx, "user_words", "DO NOTHING",
		intColumn("user_id", words, func(w userText) feed.UserID { return w.user }),
		textColumn("word", words, func(w userText) string { return w.text }),
		intColumn("place", words, func(w userText) int64 { return feed.WordPlace(w.text) }))
	return err
}

func dropWords(ctx context.Context, tx *sql.Tx, user feed.UserID) error {
	return exec(ctx, tx, `DELETE FROM user_words WHERE user_id = $1`, user)
}

// rewriteWords stores the words that users are found by in place of those they had.
func (s *Store) rewriteWords(ctx context.Context, tx *sql.Tx, users ...*feed.User) error {
	for _, u := range users {
		if err := dropWords(ctx, tx, u.ID); err != nil {
			return err
		}
	}
	return s.writeWords(ctx, tx, users)
}

// wordsMigration is the version of the schema that brought the words.
const wordsMigration = 3

// fillWords stores the words of all users who came before there were any, which SQL
// alone could not: a database's idea of lower case is not Go's. It reads no column but
// those that there were at the time, since later migrations have yet to add theirs.
func (s *Store) fillWords(ctx context.Context, tx *sql.Tx) error {
	return walkUsers(ctx, tx, "TRUE", func(users []*feed.User) error { return s.writeWords(ctx, tx, users) })
}
