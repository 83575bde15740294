package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/base64"
	"math"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// countedQuery finds the first letter of a source without naming the source, or PostgreSQL might read
// the letters of all sources by their ids.
const countedQuery = `
SELECT c.source, c.letters, c.overtaken, c.counted, COALESCE((
  SELECT l.created_at FROM dead_letters AS l WHERE (l.source, l.id) > (c.source, 0) AND l.source <= c.source ORDER BY l.source, l.id LIMIT 1), 0)
FROM dead_letter_counts AS c WHERE c.letters > 0 OR c.counted > 0`

// countedLetters returns the counts that are stored, and reads one letter of each source.
func countedLetters(ctx context.Context, tx *sql.Tx) ([]feed.DeadLetterCount, error) {
	list, err := collect(ctx, tx, countedQuery, nil,
		into(func(c *feed.DeadLetterCount) []any {
			return []any{&c.Source, &c.Letters, &c.Overtaken, &c.Counted, &c.OldestAt}
		}))
	slices.SortFunc(list, func(a, b feed.DeadLetterCount) int { return cmp.Compare(a.Source, b.Source) })
	return list, err
}

// letterTally collects changes of the counts of dead letters, by source. A transaction stores it after
// it has changed letters, so that two transactions lock rows in the same order.
type letterTally map[string]*feed.DeadLetterCount

// add counts letters of a source n times.
func (t letterTally) add(source string, letters, overtaken int) {
	c := entry(t, source)
	c.Letters += letters
	c.Overtaken += overtaken
}

func (t letterTally) store(ctx context.Context, s *Store, tx *sql.Tx) error {
	sources := sortedKeys(t)
	return s.addTo(ctx, tx, nil, "dead_letter_counts",
		textColumn("source", sources, func(source string) string { return source }),
		intColumn("letters", sources, func(source string) int { return t[source].Letters }),
		intColumn("overtaken", sources, func(source string) int { return t[source].Overtaken }),
		intColumn("counted", sources, func(source string) int { return t[source].Counted }))
}

// settleLetters stores the bad records and lines of a batch, marks older letters of its other
// objects as overtaken, and drops those that it has applied.
func (s *Store) settleLetters(ctx context.Context, tx *sql.Tx, batch *feed.SourceBatch, result *feed.Applied, now int64) error {
	if len(batch.Retried) > 0 {
		return s.settleRetried(ctx, tx, batch, result, now)
	}
	bad := map[int]bool{}
	for _, b := range result.Bad {
		bad[b.Line] = !b.Hides
	}
	counts := letterTally{}
	if err := s.overtake(ctx, tx, counts, batch.Records, bad, math.MaxInt64); err != nil {
		return err
	}
	letters := batch.Letters(result, now)
	if len(letters) > 0 {
		counts.add(batch.Source, 0, 0) // locks the row
	}
	if err := counts.store(ctx, s, tx); err != nil || len(letters) == 0 {
		return err
	}
	return s.insertLetters(ctx, tx, batch, letters)
}

// insertLetters stores as many letters as the source may have, and counts the others. The row of the
// count is locked.
func (s *Store) insertLetters(ctx context.Context, tx *sql.Tx, batch *feed.SourceBatch, letters []feed.DeadLetter) error {
	stored, err := one[int](tx.QueryRowContext(ctx, `SELECT letters FROM dead_letter_counts WHERE source = $1`, batch.Source))
	if err != nil {
		return err
	}
	kept := batch.KeptLetters(len(letters), stored)
	count := letterTally{batch.Source: {Letters: kept, Counted: len(letters) - kept}}
	if err := count.store(ctx, s, tx); err != nil {
		return err
	}
	letters = letters[:kept]
	_, err = s.d.insertRows(ctx, tx, "dead_letters", "DO NOTHING",
		textColumn("source", letters, func(l feed.DeadLetter) string { return l.Source }),
		textColumn("part", letters, func(l feed.DeadLetter) string { return l.Partition }),
		textColumn("position", letters, func(l feed.DeadLetter) string { return l.Position }),
		textColumn("object", letters, func(l feed.DeadLetter) string { return l.Object }),
		textColumn("line", letters, func(l feed.DeadLetter) string { return encodeLine(l.Text) }),
		textColumn("reason", letters, func(l feed.DeadLetter) string { return l.Reason }),
		intColumn("ordered", letters, func(l feed.DeadLetter) int { return flag(l.Ordered) }),
		textColumn("message_key", letters, func(l feed.DeadLetter) string { return encodeLine([]byte(l.Key)) }),
		intColumn("element", letters, func(l feed.DeadLetter) int { return l.Element }),
		intColumn("cut", letters, func(l feed.DeadLetter) int { return flag(l.Cut) }),
		intColumn("created_at", letters, func(l feed.DeadLetter) int64 { return l.CreatedAt }),
		intColumn("tried_at", letters, func(l feed.DeadLetter) int64 { return l.TriedAt }))
	return err
}

// encodeLine returns a line as text, because PostgreSQL stores no texts that are not UTF-8.
func encodeLine(line []byte) string { return base64.StdEncoding.EncodeToString(line) }

// overtake marks the letters with ids below before of objects of which a later record was applied, and
// counts them. Nearly always there are none.
func (s *Store) overtake(ctx context.Context, tx *sql.Tx, counts letterTally, records []feed.Record, bad map[int]bool, before int64) error {
	open, err := one[bool](tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM dead_letters WHERE overtaken = 0 AND object <> '')`))
	if err != nil || !open {
		return err
	}
	var objects []string
	for i := range records {
		if !bad[records[i].Line] {
			objects = append(objects, records[i].Object().String())
		}
	}
	sources, err := collect(ctx, tx, `
UPDATE dead_letters SET overtaken = 1
WHERE overtaken = 0 AND id < $2 AND object <> '' AND object IN (SELECT o.text FROM `+s.d.texts(1, "o")+`) RETURNING source`,
		[]any{textList(s.d, objects), before}, one[string])
	for _, source := range sources {
		counts.add(source, 0, 1)
	}
	return err
}

// lockRetried locks the letters that a batch tries again.
func (s *Store) lockRetried(ctx context.Context, tx *sql.Tx, retried []int64) error {
	if len(retried) == 0 {
		return nil
	}
	locked, err := collect(ctx, tx, `SELECT id FROM dead_letters WHERE overtaken = 0 AND `+s.d.in("id", 1)+s.d.forUpdate,
		[]any{ids(s.d, retried)}, one[int64])
	if err == nil && len(locked) < len(retried) {
		err = feed.ErrLetterOvertaken
	}
	return err
}

// settleRetried drops the letters of a batch if nothing of it is bad any more.
func (s *Store) settleRetried(ctx context.Context, tx *sql.Tx, batch *feed.SourceBatch, result *feed.Applied, now int64) error {
	reason, failed := batch.Failure(result)
	if !failed {
		counts := letterTally{}
		if _, err := s.deleteLetters(ctx, tx, counts, batch.Retried); err != nil {
			return err
		}
		if err := s.overtake(ctx, tx, counts, batch.Records, nil, slices.Max(batch.Retried)); err != nil {
			return err
		}
		return counts.store(ctx, s, tx)
	}
	return exec(ctx, tx, `UPDATE dead_letters SET tries = tries + 1, tried_at = $2, reason = $3 WHERE `+s.d.in("id", 1),
		ids(s.d, batch.Retried), now, feed.ShortReason(reason))
}

// DeadLetters implements [feed.DeadLetters].
func (s *Store) DeadLetters(ctx context.Context, source string, after int64, limit int) ([]feed.DeadLetter, error) {
	if source == "" {
		return query(ctx, s, selectLetters+` WHERE id > $1 ORDER BY id LIMIT $2`, []any{after, limit}, scanLetter)
	}
	return query(ctx, s, lettersOf, []any{source, after, limit}, scanLetter)
}

const selectLetters = `SELECT id, source, part, position, object, line, reason, created_at, tried_at, tries, ordered, overtaken, cut, message_key, element FROM dead_letters`

// lettersOf compares as countedQuery does.
const lettersOf = selectLetters + ` WHERE (source, id) > ($1, $2) AND source <= $1 ORDER BY source, id LIMIT $3`

func scanLetter(row scanner) (l feed.DeadLetter, err error) {
	var line, key string
	if err := row.Scan(&l.ID, &l.Source, &l.Partition, &l.Position, &l.Object, &line, &l.Reason,
		&l.CreatedAt, &l.TriedAt, &l.Tries, &l.Ordered, &l.Overtaken, &l.Cut, &key, &l.Element); err != nil {
		return l, err
	}
	text, err := base64.StdEncoding.DecodeString(key)
	if l.Key = string(text); err != nil {
		return l, err
	}
	l.Text, err = base64.StdEncoding.DecodeString(line)
	return l, err
}

// DropDeadLetters implements [feed.DeadLetters].
func (s *Store) DropDeadLetters(ctx context.Context, list []int64) (int, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (int, error) {
		counts := letterTally{}
		dropped, err := s.deleteLetters(ctx, tx, counts, list)
		if err != nil {
			return 0, err
		}
		return dropped, counts.store(ctx, s, tx)
	})
}

// deleteLetters deletes and counts letters.
func (s *Store) deleteLetters(ctx context.Context, tx *sql.Tx, counts letterTally, list []int64) (int, error) {
	gone, err := collect(ctx, tx, `DELETE FROM dead_letters WHERE `+s.d.in("id", 1)+` RETURNING source, overtaken`, []any{ids(s.d, list)},
		into(func(l *feed.DeadLetterCount) []any { return []any{&l.Source, &l.Overtaken} }))
	for _, l := range gone {
		counts.add(l.Source, -1, -l.Overtaken)
	}
	return len(gone), err
}

// ForgetCounted implements [feed.DeadLetters].
func (s *Store) ForgetCounted(ctx context.Context, source string) (int, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (int, error) {
		list, err := collect(ctx, tx, `SELECT counted FROM dead_letter_counts WHERE source = $1`+s.d.forUpdate, []any{source}, one[int])
		if err != nil || len(list) == 0 {
			return 0, err
		}
		return list[0], exec(ctx, tx, `UPDATE dead_letter_counts SET counted = 0 WHERE source = $1`, source)
	})
}
