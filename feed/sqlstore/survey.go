package sqlstore

import (
	"context"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// Survey implements [feed.Surveyor]. On PostgreSQL those that are asked for at the same time
// are one statement.
func (s *Store) Survey(ctx context.Context, viewer feed.UserID, since int64, cold bool, own int) (feed.Survey, error) {
	if s.gathered.surveys == nil {
		return feed.SurveyInTurn{Relations: s, Outboxes: s}.Survey(ctx, viewer, since, cold, own)
	}
	return s.gathered.surveys.One(ctx, surveyed{viewer, since, uncoveredMark(cold), own})
}

// surveyed names what a survey is asked.
type surveyed struct {
	viewer feed.UserID
	since  int64
	// uncovered is the mark from which on an author is not covered.
	uncovered feed.Mark
	own       int
}

// What the rows of a survey are.
const (
	surveyStamp = iota
	surveyPulled
	surveyOwn
)

// askSurveys reads all of them in one statement, so that what is found of a viewer is as of
// the moment of his stamp. Its rows say which survey they are of, and what they are.
func (s *Store) askSurveys(keys []surveyed) reading[feed.Survey] {
	places := make([]int, len(keys))
	own := 0
	for i, k := range keys {
		places[i], own = i, max(own, k.own)
	}
	from, args := s.d.table([]column{
		intColumn("place", places, func(place int) int64 { return int64(place) }),
		intColumn("id", keys, func(k surveyed) feed.UserID { return k.viewer }),
		intColumn("since", keys, func(k surveyed) int64 { return k.since }),
		intColumn("uncovered", keys, func(k surveyed) feed.Mark { return k.uncovered }),
	})
	now, args := s.now(append(args, own)...)
	found := make([]feed.Survey, len(keys))
	var place, what int
	var a, b, marks, generation, at int64
	columns := []any{&place, &what, &a, &b, &marks, &generation, &at}
	row := func(row scanner) error {
		if err := row.Scan(columns...); err != nil {
			return err
		}
		switch of := &found[place]; what {
		case surveyStamp:
			of.Stamp = feed.Stamp{Version: a, Own: b, Marks: marks, Generation: generation, Now: at}
		case surveyPulled:
			of.Pulled = append(of.Pulled, feed.UserID(a))
		case surveyOwn:
			of.Own = append(of.Own, feed.Key{TS: a, ID: b})
		}
		return nil
	}
	values := func() []feed.Survey {
		for i, k := range keys {
			newest := directed(found[i].Own, feed.Range{Ascending: false})
			found[i].Own = newest[:min(k.own, len(newest))]
		}
		return found
	}
	return reading[feed.Survey]{statement{text: surveysQuery(from, now), args: args, row: row}, values}
}

// surveysQuery yields the rows of surveys, whose viewers are in from and whose own contents
// are at most $5 each.
func surveysQuery(from, now string) string {
	return fmt.Sprintf(`
WITH viewer AS (SELECT r.place, r.id, r.since, r.uncovered FROM `+from+`)
SELECT viewer.place, %d, %s, `+now+`
FROM viewer `+stampsOfViewers+`
UNION ALL
SELECT viewer.place, %d, pulled.followee_id, 0, 0, 0, 0
FROM viewer CROSS JOIN LATERAL (`+pulledQuery("viewer.id", "viewer.since", "viewer.uncovered")+`) AS pulled
UNION ALL
SELECT viewer.place, %d, own.published_at, own.id, 0, 0, 0
FROM viewer CROSS JOIN LATERAL (
  SELECT c.published_at, c.id FROM contents AS c WHERE c.author_id = viewer.id AND c.deleted_at = 0
  ORDER BY c.published_at DESC, c.id DESC LIMIT $5
) AS own
WHERE viewer.id NOT IN `+leavers, surveyStamp, stampColumns, surveyPulled, surveyOwn)
}
