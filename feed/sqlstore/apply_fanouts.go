package sqlstore

import (
	"context"
	"strconv"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/apply"
)

// beginFanouts stores the plans of small audiences and the events of other new and restored posts,
// as [Store.Publish] does, and the events of new replays. A restored post is fanned out again, since a
// build may have left it out.
func (w *writer) beginFanouts(ctx context.Context, d feed.FirstDispatch, result *feed.Ingested) error {
	var shown, restored []*feed.Post
	for _, c := range w.changes.Posts {
		if c.Shown() > 0 {
			shown = append(shown, c.After.Post)
			if c.Before.Post != nil {
				restored = append(restored, c.After.Post)
			}
		}
	}
	var pending []*feed.Post
	for _, c := range w.changes.Sessions {
		if c.Ends() {
			pending = append(pending, &feed.Post{ID: feed.ReplayRef(int64(c.After.ID))})
		}
	}
	if len(shown)+len(pending) == 0 {
		return nil
	}
	attempts, err := w.endFanouts(ctx, restored)
	if err != nil {
		return err
	}
	planned, err := w.planSmall(ctx, shown, d.PlanBelow)
	if err != nil {
		return err
	}
	var small []*feed.Post
	for _, p := range shown {
		if planned[p.ID] {
			small, result.Planned = append(small, p), append(result.Planned, p.ID)
		} else {
			pending = append(pending, p)
		}
	}
	result.Pending = mapped(pending, func(p *feed.Post) feed.PostID { return p.ID })
	return inOrder(
		func() error { return w.storeWholeSlices(ctx, small, attempts, d.SliceDue) },
		func() error { return w.storeEvents(ctx, pending, attempts, d.EventDue) },
	)
}

// fanoutAttempts has, by post, the attempt above which those of a new fan-out are; 0 for new posts.
type fanoutAttempts map[feed.PostID]int64

func (a fanoutAttempts) column(posts []*feed.Post) column {
	return intColumn("attempt", posts, func(p *feed.Post) int64 { return a[p.ID] })
}

// endFanouts forgets the fan-outs of posts that were shown before, and returns the attempts for the
// next ones. It deletes events first, for [Store.storeFirst].
func (w *writer) endFanouts(ctx context.Context, posts []*feed.Post) (fanoutAttempts, error) {
	if len(posts) == 0 {
		return nil, nil
	}
	list, next := mapped(posts, func(p *feed.Post) feed.PostID { return p.ID }), fanoutAttempts{}
	for _, id := range list {
		next[id] = 1
	}
	for _, table := range []string{"events", "plan_slices"} {
		_, err := collect(ctx, w.tx, "DELETE FROM "+table+" WHERE "+w.s.d.in("content_id", 1)+" RETURNING content_id, attempt", []any{ids(w.s.d, list)},
			func(row scanner) (attempt int64, err error) {
				var post feed.PostID
				err = row.Scan(&post, &attempt)
				next[post] = max(next[post], attempt+1)
				return attempt, err
			})
		if err != nil {
			return nil, err
		}
	}
	return next, w.s.dropFanOuts(ctx, w.tx, list, "plans")
}

func postIDs(posts []*feed.Post) column {
	return intColumn("content_id", posts, func(p *feed.Post) feed.PostID { return p.ID })
}

func authorIDs(posts []*feed.Post) column {
	return intColumn("author_id", posts, func(p *feed.Post) feed.UserID { return p.Author })
}

// planSmall stores the plans of posts whose authors have fewer than below followers and no coverage
// flag, and returns these posts.
func (w *writer) planSmall(ctx context.Context, posts []*feed.Post, below int) (map[feed.PostID]bool, error) {
	if len(posts) == 0 { // there are only replays
		return nil, nil
	}
	from, args := w.s.d.table([]column{postIDs(posts), authorIDs(posts)})
	args = append(args, below)
	limit := "$" + strconv.Itoa(len(args))
	now, args := w.s.now(args...)
	list, err := collect(ctx, w.tx, `
INSERT INTO plans (content_id, slices, open_slices, created_at)
SELECT r.content_id, 1, 1, `+now+` FROM `+from+` JOIN users AS u ON u.id = r.author_id JOIN user_counters AS c ON c.user_id = u.id
WHERE u.mark = 0 AND c.followers < `+limit+`
ON CONFLICT DO NOTHING RETURNING content_id`, args, one[feed.PostID])
	planned := make(map[feed.PostID]bool, len(list))
	for _, id := range list {
		planned[id] = true
	}
	return planned, err
}

// storeWholeSlices stores a [feed.SliceOfAll] for each post.
func (w *writer) storeWholeSlices(ctx context.Context, posts []*feed.Post, attempts fanoutAttempts, due int64) error {
	whole := feed.SliceOfAll(0)
	each := func(name string, n int64) column {
		return intColumn(name, posts, func(*feed.Post) int64 { return n })
	}
	return w.insert(ctx, "plan_slices", []column{
		postIDs(posts), each("task", int64(whole.Task)), authorIDs(posts), each("first_id", int64(whole.First)),
		each("last_id", int64(whole.Last)), each("progress", int64(whole.First-1)), attempts.column(posts), each("due_at", due),
	})
}

func (w *writer) storeEvents(ctx context.Context, posts []*feed.Post, attempts fanoutAttempts, due int64) error {
	at := func(*feed.Post) int64 { return due }
	return w.insert(ctx, "events", []column{
		postIDs(posts), attempts.column(posts), intColumn("due_at", posts, at), intColumn("created_at", posts, at),
	})
}

// writeVersions stores the versions of records. Of two concurrent batches with records of one
// object, the second has waited for the version's lock, or it waits here, if both are the first with
// this object, and then judges again.
func (w *writer) writeVersions(ctx context.Context) error {
	var first, later []feed.Object
	for _, o := range apply.SortedObjects(w.changes.Versions) {
		if _, known := w.stored[o]; known {
			later = append(later, o)
		} else {
			first = append(first, o)
		}
	}
	return inOrder(
		func() error { return w.insert(ctx, "object_versions", w.versionColumns(first)) },
		func() error {
			return insertAll(ctx, w.s.d, w.tx, "object_versions", `(type, a, b) DO UPDATE
SET epoch = excluded.epoch, version = excluded.version, ended_at = excluded.ended_at, created_at = excluded.created_at, unsettled = excluded.unsettled
WHERE (object_versions.epoch, object_versions.version) <= (excluded.epoch, excluded.version)`, w.versionColumns(later))
		},
	)
}

func (w *writer) versionColumns(objects []feed.Object) []column {
	return []column{
		textColumn("type", objects, func(o feed.Object) string { return string(o.Type) }),
		intColumn("a", objects, func(o feed.Object) int64 { return o.A }),
		intColumn("b", objects, func(o feed.Object) int64 { return o.B }),
		intColumn("epoch", objects, func(o feed.Object) int64 { return w.changes.Versions[o].Epoch }),
		intColumn("version", objects, func(o feed.Object) int64 { return w.changes.Versions[o].Number }),
		intColumn("ended_at", objects, func(o feed.Object) int64 {
			if w.changes.Ended[o].Undone {
				return w.now
			}
			return 0
		}),
		intColumn("created_at", objects, func(o feed.Object) int64 { return w.changes.Ended[o].CreatedAt }),
		intColumn("unsettled", objects, func(o feed.Object) int { return flag(w.changes.Versions[o].Unsettled) }),
	}
}

// ObjectVersions implements [feed.ObjectVersions].
func (s *Store) ObjectVersions(ctx context.Context, objects []feed.Object) ([]feed.ObjectVersion, error) {
	var found map[feed.Object]feed.ObjectVersion
	err := s.conns.run(ctx, func() (err error) {
		found, _, err = s.loadVersions(ctx, s.ro, objects, "")
		return err
	})
	if err != nil {
		return nil, classify(ctx, err)
	}
	versions := make([]feed.ObjectVersion, len(objects))
	for i, o := range objects {
		versions[i] = found[o]
	}
	return versions, nil
}

// loadVersions loads versions in one order, with the edges of those that have ended, and locks their
// rows with lock, a clause of SELECT.
func (s *Store) loadVersions(ctx context.Context, tx queryer, objects []feed.Object, lock string) (
	map[feed.Object]feed.ObjectVersion, map[feed.Object]feed.StoredEdge, error,
) {
	found, ended := map[feed.Object]feed.ObjectVersion{}, map[feed.Object]feed.StoredEdge{}
	if len(objects) == 0 {
		return found, ended, nil
	}
	from, args := s.d.table([]column{
		textColumn("type", objects, func(o feed.Object) string { return string(o.Type) }),
		intColumn("a", objects, func(o feed.Object) int64 { return o.A }),
		intColumn("b", objects, func(o feed.Object) int64 { return o.B }),
	})
	// CROSS JOIN makes SQLite look up each object instead of scanning the table.
	_, err := collect(ctx, tx, `
SELECT v.type, v.a, v.b, v.epoch, v.version, v.ended_at > 0, v.created_at, v.unsettled > 0 FROM `+from+` CROSS JOIN object_versions AS v
WHERE v.type = r.type AND v.a = r.a AND v.b = r.b ORDER BY v.type, v.a, v.b`+lock, args, func(row scanner) (o feed.Object, err error) {
		var v feed.ObjectVersion
		var edge feed.StoredEdge
		err = row.Scan(&o.Type, &o.A, &o.B, &v.Epoch, &v.Number, &edge.Undone, &edge.CreatedAt, &v.Unsettled)
		if found[o] = v; edge.Undone {
			ended[o] = edge
		}
		return o, err
	})
	return found, ended, err
}
