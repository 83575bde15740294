package sqlstore

import (
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// Survey implements [feed.Surveyor]. On PostgreSQL concurrent surveys share one statement.
func (s *Store) Survey(ctx context.Context, viewer feed.UserID, since int64, cold bool, own int) (feed.Survey, error) {
	if s.lookups.surveys == nil {
		return feed.SurveyInTurn{Relations: s, Outboxes: s}.Survey(ctx, viewer, since, cold, own)
	}
	return s.lookups.surveys.One(ctx, surveyed{viewer, since, uncoveredMark(cold), own})
}

type surveyed struct {
	viewer feed.UserID
	since  int64
	// uncovered is the lowest mark of authors that are not covered.
	uncovered feed.CoverageFlag
	own       int
}

// askSurveys reads surveys in one statement, so that each is as of the moment of its viewer
// version. A survey is one row with lists, which is cheaper than a row per element.
func (s *Store) askSurveys(asked batch.Keys[surveyed]) reading[feed.Survey] {
	keys := asked.List
	own := 0
	for _, k := range keys {
		own = max(own, k.own)
	}
	from, args := s.d.table([]column{
		placeColumn(len(keys)),
		intColumn("id", keys, func(k surveyed) feed.UserID { return k.viewer }),
		intColumn("since", keys, func(k surveyed) int64 { return k.since }),
		intColumn("uncovered", keys, func(k surveyed) feed.CoverageFlag { return k.uncovered }),
	})
	now, args := s.now(append(args, own)...)
	p, args := s.hidden.poll(args)
	var place int
	var version feed.ViewerVersion
	var pulled userList
	var newest keyList
	columns := slices.Concat([]any{&place}, versionTargets(&version), []any{&version.Now, &pulled, &newest}, p.targets())
	return before(p, readInto(len(keys), s.surveysQuery(from, now, len(args)), args, func(found []feed.Survey, row scanner) error {
		err := row.Scan(columns...)
		if err == nil {
			own := directed(newest, feed.Range{Ascending: false})
			found[place] = feed.Survey{Version: version, Pulled: pulled, Own: own[:min(keys[place].own, len(own))]}
		}
		return err
	}))
}

// surveysQuery selects the surveys of the viewers in from, with at most $5 posts of each viewer, and what
// has been hidden since number $n.
func (s *Store) surveysQuery(from, now string, n int) string {
	return `
WITH viewer AS (SELECT r.place, r.id, r.since, r.uncovered FROM ` + from + `)
SELECT viewer.place, ` + versionColumns + `, ` + now + `,
       (SELECT array_agg(pulled.followee_id) FROM (` + pulledQuery("viewer.id", "viewer.since", "viewer.uncovered") + `) AS pulled),
       (SELECT ` + s.d.pairs("own.published_at", "own.id") + ` FROM (
          SELECT c.published_at, c.id FROM contents AS c
          WHERE c.author_id = viewer.id AND c.deleted_at = 0 AND ` + s.d.present("viewer.id") + `
          ORDER BY c.published_at DESC, c.id DESC LIMIT $5
        ) AS own),
       ` + s.hiddenColumns(n) + `
FROM viewer ` + versionsOfViewers
}
