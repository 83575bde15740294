package sqlstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// ViewerVersion implements [feed.Relations].
func (s *Store) ViewerVersion(ctx context.Context, viewer feed.UserID) (feed.ViewerVersion, error) {
	return s.lookups.versions.One(ctx, viewer)
}

// versionColumns are the numbers of a viewer version, from [versionsOfViewers]. The deletion of an
// account counts as one of its own changes here, so that the deletion need not wait for
// transactions that hold the counters.
const versionColumns = `COALESCE(u.version, 0), COALESCE(own.changes, 0) + CASE WHEN u.deleted_at > 0 THEN 1 ELSE 0 END, feeds.marks, feeds.generation, CASE WHEN feeds.bulk_since > 0 THEN 1 ELSE 0 END`

func versionTargets(v *feed.ViewerVersion) []any {
	return []any{&v.Version, &v.Own, &v.Flags, &v.Generation, &v.Loading}
}

// versionsOfViewers follows a FROM item viewer with the column id.
const versionsOfViewers = `
CROSS JOIN feed_state AS feeds CROSS JOIN change_state AS state
LEFT JOIN users AS u ON u.id = viewer.id LEFT JOIN user_counters AS own ON own.user_id = viewer.id
WHERE feeds.id = 1 AND state.id = 1`

func (s *Store) askVersions(viewers batch.Keys[feed.UserID]) reading[feed.ViewerVersion] {
	now, args := s.now(ids(s.d, viewers.List))
	p, args := s.hidden.poll(args)
	text := "SELECT viewer.id, " + versionColumns + ", " + now + ", " + s.hiddenColumns(len(args)) + "\nFROM " + s.d.unnest("viewer") + versionsOfViewers
	return before(p, eachOnce(viewers, text, args, func(id *feed.UserID, version *feed.ViewerVersion) []any {
		return slices.Concat([]any{id}, versionTargets(version), []any{&version.Now}, p.targets())
	}))
}

// Edges implements [feed.Relations].
func (s *Store) Edges(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	return s.lookups.edges.All(ctx, mapped(others, func(other feed.UserID) between { return between{viewer, other} }))
}

func (s *Store) askEdges(asked batch.Keys[between]) reading[feed.Edge] {
	keys := asked.List
	from, args := s.d.table([]column{
		placeColumn(len(keys)),
		intColumn("viewer", keys, func(k between) feed.UserID { return k.viewer }),
		intColumn("other", keys, func(k between) feed.UserID { return k.other }),
	})
	var at int
	columns := []any{&at}
	return readInto(len(keys), edgesQuery(from), args, func(edges []feed.Edge, row scanner) error {
		err := row.Scan(columns...)
		if err == nil {
			tie(&edges[at/bonds], at%bonds)
		}
		return err
	})
}

// edgesQuery selects a number for each bond that exists: the place of the edge times [bonds], plus
// the bond. from is the FROM item r with the columns place, viewer and other.
//
// Each kind is a query of its own, which looks up a row by its whole key. For a list of kinds
// PostgreSQL may read all blocks of either user, possibly millions. The sum in the condition on
// active makes it use the primary key, where all follows of a viewer are adjacent. In the index of
// followers each author is elsewhere.
func edgesQuery(from string) string {
	text := fmt.Sprintf(`
WITH asked AS (SELECT r.place * %d AS place, r.viewer, r.other FROM `+from+` WHERE r.viewer <> r.other)
SELECT asked.place + %d + f.options
FROM asked JOIN follows AS f ON f.follower_id = asked.viewer AND f.followee_id = asked.other AND f.active + 0 = 1`, bonds, bondFollows)
	for i, kind := range [...]feed.RelationKind{feed.RelationMute, feed.RelationHide, feed.RelationBlock} {
		text += fmt.Sprintf(relationBondQuery, bondMutes+i, "viewer", kind, "other")
	}
	for i, kind := range [...]feed.RelationKind{feed.RelationHide, feed.RelationBlock} {
		text += fmt.Sprintf(relationBondQuery, bondHidden+i, "other", kind, "viewer")
	}
	return text + fmt.Sprintf(`
UNION ALL
SELECT asked.place + %d
FROM asked JOIN list_members AS m ON m.exclusive_to = asked.viewer AND m.exclusive_to > 0 AND m.user_id = asked.other`, bondListed)
}

const relationBondQuery = `
UNION ALL
SELECT asked.place + %d
FROM asked JOIN relations AS r ON r.user_id = asked.%s AND r.kind = '%s' AND r.target_id = asked.%s`

// The bonds from the viewer to the other user, those from the other user to the viewer, an exclusive list, and a
// follow. A follow is a bond for each set of options.
const (
	bondMutes = iota
	bondHides
	bondBlocks
	bondHidden
	bondBlocked
	bondListed
	bondFollows
	bonds = bondFollows + 1<<8
)

// tie adds a bond to an edge.
func tie(e *feed.Edge, bond int) {
	if bond >= bondFollows {
		e.Follows, e.Options = true, feed.FollowOptions(bond-bondFollows)
		return
	}
	*[bondFollows]*bool{&e.Mutes, &e.HidesFrom, &e.Blocks, &e.HiddenBy, &e.BlockedBy, &e.Listed}[bond] = true
}

// SpecialFollows implements [feed.SpecialFollows].
func (s *Store) SpecialFollows(ctx context.Context, viewer feed.UserID) ([]feed.UserID, error) {
	return query(ctx, s, specialFollowsQuery, []any{viewer}, one[feed.UserID])
}

const specialFollowsQuery = "SELECT followee_id FROM follows WHERE follower_id = $1 AND active = 1 AND options % 2 = 1"

// Pulled implements [feed.Relations]. It reads the generation in the same statement, since flags fall
// in the transaction that raises it.
func (s *Store) Pulled(ctx context.Context, viewer feed.UserID, inbox feed.Completeness) ([]feed.UserID, error) {
	type row struct {
		generation int64
		author     feed.UserID
	}
	rows, err := fetch(ctx, s, generationAndPulled(), []any{viewer, inbox.Version, uncoveredMark(inbox.Cold)},
		into(func(r *row) []any { return []any{&r.generation, &r.author} }))
	if err != nil {
		return nil, err
	}
	var authors []feed.UserID
	for _, r := range rows {
		if r.generation != inbox.Generation {
			return nil, feed.ErrGenerationRaised
		}
		if r.author != 0 {
			authors = append(authors, r.author)
		}
	}
	return authors, nil
}

// generationAndPulled selects the generation, next to each author of [pulledQuery], or to 0.
func generationAndPulled() string {
	return `
SELECT state.generation, COALESCE(pulled.followee_id, 0)
FROM feed_state AS state LEFT JOIN (` + pulledQuery("$1", "$2", "$3") + `) AS pulled ON TRUE
WHERE state.id = 1`
}

// uncoveredMark is the lowest mark of authors that an inbox, warm or cold, does not cover.
func uncoveredMark(cold bool) feed.CoverageFlag {
	if cold {
		return feed.FlagSelective
	}
	return feed.FlagUnpushed
}

// pulledQuery finds edges with a later version, and marked authors, each from its own small index;
// one condition for both would scan all follows of the viewer. Of those few it excludes authors
// that the viewer may not see.
func pulledQuery(viewer, since, uncovered string) string {
	return `
SELECT candidate.followee_id FROM (
    SELECT f.followee_id FROM follows AS f JOIN users AS u ON u.id = f.followee_id
    WHERE f.follower_id = ` + viewer + ` AND f.active = 1 AND f.version > ` + since + ` AND u.deleted_at = 0
    UNION
    SELECT f.followee_id FROM users AS u JOIN follows AS f ON f.followee_id = u.id
    WHERE u.mark > 0 AND u.mark >= ` + uncovered + ` AND u.deleted_at = 0 AND f.follower_id = ` + viewer + ` AND f.active = 1
) AS candidate
WHERE ` + lacksRelation(viewer, feed.RelationMute, "candidate.followee_id") +
		` AND ` + lacksRelation(viewer, feed.RelationBlock, "candidate.followee_id") +
		` AND ` + lacksRelation("candidate.followee_id", feed.RelationHide, viewer) +
		` AND ` + lacksRelation("candidate.followee_id", feed.RelationBlock, viewer)
}

// lacksRelation is the condition that user has no relation of a kind to target, or is the target.
// It compares a scalar subquery, which PostgreSQL looks up by the whole key. It may turn NOT EXISTS
// into a join, which reads all relations of a user, possibly millions.
func lacksRelation(user string, kind feed.RelationKind, target string) string {
	return fmt.Sprintf(`
(SELECT 1 FROM relations AS r WHERE r.user_id = %s AND r.kind = '%s' AND r.target_id = %s AND r.user_id <> r.target_id) IS NULL`, user, kind, target)
}

// Followers implements [feed.Relations].
func (s *Store) Followers(ctx context.Context, user feed.UserID, r feed.Range) ([]feed.Key, error) {
	return s.follows(ctx, "followee_id", "follower_id", user, r)
}

// Following implements [feed.Relations].
func (s *Store) Following(ctx context.Context, user feed.UserID, r feed.Range) ([]feed.Key, error) {
	return s.follows(ctx, "follower_id", "followee_id", user, r)
}

// follows lists the users in the column others of the follows that have user in the column whose.
func (s *Store) follows(ctx context.Context, whose, others string, user feed.UserID, r feed.Range) ([]feed.Key, error) {
	return s.keys(ctx, s.followsQuery(whose, others, r), rangeArgs(user, r))
}

func (s *Store) followsQuery(whose, others string, r feed.Range) string {
	return s.usersQuery("follows", whose+" = $1 AND active = 1", others, r)
}

// usersQuery lists the users in the column others of the rows of a table with created_at that meet a
// condition, without absent ones, within r.
func (s *Store) usersQuery(table, condition, others string, r feed.Range) string {
	return `
SELECT created_at, ` + others + ` FROM ` + table + `
WHERE ` + condition + ` AND ` + s.d.present(others) + ` AND ` + within("created_at", others) + " " +
		ordered("created_at", others, r)
}
