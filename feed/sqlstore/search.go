package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// SearchUsers implements [feed.Profiles]. It reads the index of words from the prefix words[0] on,
// and filters by the other words.
func (s *Store) SearchUsers(ctx context.Context, words []string, r feed.Range) ([]feed.Key, error) {
	stmt, args := s.searchQuery(words, r)
	return s.keys(ctx, stmt, args)
}

// searchQuery takes the prefix as $1 and the other words as $7. Of the words of a user that begin
// with $1 only the one with the largest place counts, so that no user appears twice. Of two with
// the same place, either may count. PostgreSQL may make a join of NOT EXISTS that reads all words.
func (s *Store) searchQuery(words []string, r feed.Range) (stmt string, args []any) {
	stmt = `
SELECT w.place, w.user_id FROM user_words AS w
WHERE ` + within("w.place", "w.user_id") + ` AND ` + begins("w.word", "CAST($1 AS TEXT)") + ` AND ` + s.d.arrived("w.user_id") + ` AND ` + s.d.suspended.without("w.user_id") + `
  AND (
    SELECT 1 FROM user_words AS better
    WHERE better.user_id = w.user_id AND (better.place, better.word) > (w.place, w.word)
      AND ` + begins("better.word", "CAST($1 AS TEXT)") + ` LIMIT 1) IS NULL
  AND NOT EXISTS (
    SELECT 1 FROM ` + s.d.texts(7, "wanted") + ` WHERE NOT EXISTS (
      SELECT 1 FROM user_words AS own WHERE own.user_id = w.user_id AND ` + begins("own.word", "wanted.text") + `))
` + ordered("w.place", "w.user_id", r)
	return stmt, append(rangeArgs(words[0], feed.WithinPrefix(r, words[0])), textList(s.d, words[1:]))
}

// begins returns the condition that a text begins with a prefix, without wildcards of LIKE.
func begins(text, prefix string) string {
	return fmt.Sprintf("substr(%s, 1, length(%s)) = %s", text, prefix, prefix)
}

// userText is a word that a user is found by, or a skeleton of their handle.
type userText struct {
	user feed.UserID
	text string
}

func textsOf(user feed.UserID, list []string) []userText {
	return mapped(list, func(text string) userText { return userText{user, text} })
}

// writeWords stores the words of users that have none.
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

func (s *Store) rewriteWords(ctx context.Context, tx *sql.Tx, users ...*feed.User) error {
	if len(users) == 0 {
		return nil
	}
	list := ids(s.d, mapped(users, func(u *feed.User) feed.UserID { return u.ID }))
	if err := exec(ctx, tx, `DELETE FROM user_words WHERE `+s.d.in("user_id", 1), list); err != nil {
		return err
	}
	return s.writeWords(ctx, tx, users)
}
