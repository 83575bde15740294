package feedtest

import "github.com/tideline-feeds/tideline/feed"

// requestRecord describes a request of ann to follow bob.
func requestRecord() feed.Record {
	return feed.Record{Follow: &feed.FollowRecord{Follower: ann, Followee: bob, CreatedAt: noon, Requested: true}}
}

// followRequestRecordPromises checks records of requests to follow, by an import and by a source.
func followRequestRecordPromises(s storeSuite) {
	asked := []feed.Key{{TS: noon, ID: int64(ann)}}
	accepted := func() feed.Record {
		return feed.Record{Follow: &feed.FollowRecord{Follower: ann, Followee: bob, CreatedAt: noon + hour}}
	}
	is := func(w *world, what string, follows bool, requests []feed.Key) {
		w.same("whether ann follows bob "+what, w.edges(ann, bob)[0].Follows, follows)
		w.same("the requests "+what, w.requests(), requests)
		followers := int64(0)
		if follows {
			followers = 1
		}
		w.graphIs(bob, followers, 0)
	}
	s.promise("a request is exported and imported, and is no follow", func(w *world) {
		w.same("the stored records", w.imports(records(requestRecord())).Stored, 1)
		is(w, "after the import", false, asked)
		found := false
		for _, r := range w.exports() {
			found = found || r.Follow != nil && *r.Follow == *requestRecord().Follow
		}
		w.failIf(!found, "the request is not exported")
		w.same("the result of a second import", w.imports(records(requestRecord())).Unchanged, 1)
		w.imports(records(accepted()))
		is(w, "after the import of a follow", true, nil)
		w.same("a request of a follower", len(w.imports(records(requestRecord())).Different), 1)
		is(w, "after it", true, nil)
	})
	s.promise("the end of a request does not end the follow that it has become", func(w *world) {
		ended := requestRecord()
		ended.EndedAt = noon + 2*hour
		w.ingest(requestRecord())
		w.ingest(accepted())
		w.ingest(ended)
		is(w, "once the request is gone", true, nil)
		w.ingest(gone(accepted()))
		w.ingest(requestRecord())
		w.ingest(ended)
		is(w, "in the end", false, nil)
		w.ingestVersion(feed.ObjectVersion{Number: 1}, requestRecord())
		w.ingestVersion(feed.ObjectVersion{Number: 2}, accepted())
		w.ingestVersion(feed.ObjectVersion{Number: 3}, ended)
		is(w, "with versions, which are of both", false, nil)
	})
	s.promise("a source makes, accepts, takes back and ends requests", func(w *world) {
		for _, ordered := range []bool{true, false} {
			version := int64(0)
			apply := func(r feed.Record) {
				version++
				if ordered {
					w.ingest(r)
					return
				}
				w.ingestVersion(feed.ObjectVersion{Number: version}, r)
			}
			for range 2 {
				apply(requestRecord())
				is(w, "once asked", false, asked)
			}
			place := w.relationsVersion(ann)
			apply(accepted())
			is(w, "once accepted", true, nil)
			w.failIf(w.relationsVersion(ann) == place, "the acceptance raises no version")
			place = w.relationsVersion(ann)
			apply(requestRecord())
			is(w, "once it is a request again", false, asked)
			w.failIf(w.relationsVersion(ann) == place, "the end of the follow raises no version")
			ended := requestRecord()
			ended.EndedAt = noon + hour
			apply(ended)
			is(w, "at the end", false, nil)
			apply(accepted())
			ended = accepted()
			ended.EndedAt = noon + hour
			apply(ended)
			is(w, "at the end of the follow", false, nil)
		}
	})
	s.promise("the record of a block ends requests where Tideline owns follows", func(w *world) {
		block := feed.Record{Relation: &feed.RelationRecord{Kind: feed.RelationBlock, User: bob, Target: ann, CreatedAt: noon}}
		w.ingest(requestRecord())
		w.ingest(block)
		is(w, "of a source that owns both", false, asked)
		ended := block
		ended.EndedAt = noon
		w.ingest(ended)
		b := batchOf([]feed.Record{block})
		b.Owned = feed.RecordTypes{feed.RecordBlock}
		w.ingests(b)
		is(w, "of a source that owns blocks", false, nil)
	})
	s.promise("a partial record of a request keeps it one", func(w *world) {
		w.ingest(requestRecord())
		w.ingest(partial(feed.Record{Follow: &feed.FollowRecord{Follower: ann, Followee: bob, CreatedAt: noon + hour}}, "createdAt"))
		is(w, "with another time", false, []feed.Key{{TS: noon + hour, ID: int64(ann)}})
		w.ingest(partial(feed.Record{Follow: &feed.FollowRecord{Follower: ann, Followee: bob}}, "state"))
		is(w, "with another state", true, nil)
	})
	s.promise("a request may name users who have not arrived, and ends with an account", func(w *world) {
		r := requestRecord()
		r.Follow.Follower = 71
		w.ingest(r)
		w.ingest(userRecord(71))
		w.same("the requests", w.requests(), []feed.Key{{TS: noon, ID: 71}})
		gone := userRecord(71)
		gone.User.ErasedAt = noon
		w.ingest(gone)
		w.same("the requests after the end of the account", w.requests(), []feed.Key(nil))
	})
}
