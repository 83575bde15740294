package feedtest

import "github.com/tideline-feeds/tideline/feed"

// ingestRenewals sends records without texts, whose content another service has.
func ingestRenewals(w *world) {
	skeleton := postRecord(1, ann)
	skeleton.Post.Text, skeleton.Post.Media = "", nil
	send := func(number int64, change func(*feed.SourceBatch), list ...feed.Record) feed.Ingested {
		b := batchOf(list)
		b.Ordered, b.Upstream = false, feed.RecordTypes{feed.RecordPost, feed.RecordUser}
		for i := range b.Records {
			b.Records[i].Version = feed.ObjectVersion{Number: number}
		}
		if change != nil {
			change(&b)
		}
		return w.ingests(b)
	}
	w.same("without an upstream", len(send(1, func(b *feed.SourceBatch) { b.Upstream = nil }, skeleton).Bad), 1)
	w.same("bad records", send(3, nil, userRecord(ann), skeleton).Bad, []feed.BadRecord(nil))

	place := w.numberAll()
	again := send(3, nil, userRecord(ann), skeleton)
	w.same("the same versions", len(again.Posts)+len(again.Users), 0)
	older := send(2, nil, userRecord(ann), skeleton)
	w.same("older versions", older.Outdated, 2)
	w.same("the log", w.loggedAfter(place), []feed.Change(nil))

	later := send(4, nil, userRecord(ann), skeleton)
	w.same("posts to evict", later.Posts, []feed.PostID{1})
	w.same("users to evict", later.Users, []feed.UserID{ann})
	w.same("records that change nothing", later.Unchanged, 2)
	var kinds []feed.ChangeKind
	for _, c := range w.loggedAfter(place) {
		w.same("whose change it is", c.User, ann)
		kinds = append(kinds, c.Kind)
	}
	w.same("the logged changes", kinds, []feed.ChangeKind{feed.ChangeEdited, feed.ChangeProfile})

	place = w.numberAll()
	send(5, func(b *feed.SourceBatch) { b.Bulk = true }, skeleton)
	send(6, func(b *feed.SourceBatch) { b.Upstream = nil }, userRecord(ann))
	send(7, nil, gone(postRecord(2, ann)))
	w.same("the log after a load, another owner and an unknown post", w.loggedAfter(place), []feed.Change(nil))

	versions, err := w.Versions.ObjectVersions(w.ctx, []feed.Object{
		{Type: feed.RecordUser, A: int64(ann)}, {Type: feed.RecordUser, A: 1}, {Type: feed.RecordPost, A: 1}, {Type: feed.RecordPost, A: 2},
	})
	w.must(err)
	w.same("versions", versions, []feed.ObjectVersion{{Number: 6}, {}, {Number: 5}, {Number: 7}})
}
