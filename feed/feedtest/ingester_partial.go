package feedtest

import (
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// partial makes a record partial. It has the fields besides its key.
func partial(r feed.Record, fields ...string) feed.Record {
	r.Partial = append([]string{}, fields...)
	return r
}

func ingestPartialPromises(s storeSuite) {
	s.empty("a partial record keeps the missing fields", func(w *world) {
		full := profileRecord(ann, "ann", "Ann")
		full.User.AvatarURL, full.User.Custom = "https://example.org/ann.png", custom
		post, follow := postRecord(1, ann), followRecord(bob, ann)
		post.Post.Media, post.Post.Custom = []string{"a.png"}, custom
		w.ingest(full, userRecord(bob), post, follow, relationRecord(feed.RelationMute, bob, cem), reactionRecord(feed.ReactionLike, bob, 1))

		named := feed.Record{User: &feed.UserRecord{User: feed.User{ID: ann, Name: "Anna"}}}
		edited := feed.Record{Post: &feed.Post{ID: 1, Author: ann, Text: "edited", EditedAt: noon}}
		got := w.ingest(partial(named, "name"), partial(edited, "text", "editedAt"))
		w.same("the number of updates", len(got.Updated), 2)
		want := full.User.User
		want.Name = "Anna"
		w.same("the user", w.usersOf(ann)[0], &want)
		owner := must(w.Users.UserByHandle(w.ctx, "ann"))
		w.same("the owner of the handle", owner, &want)
		changed := *post.Post
		changed.Text, changed.EditedAt = "edited", noon
		w.same("the post", w.postsOf(1)[0], &changed)

		empty := feed.Record{User: &feed.UserRecord{User: feed.User{ID: ann}}}
		w.ingest(partial(empty, "avatarUrl", "custom"))
		want.AvatarURL, want.Custom = "", ""
		w.same("the user without an avatar", w.usersOf(ann)[0], &want)

		// deletedAt stays, too.
		w.ingest(gone(full), gone(follow), gone(post))
		w.ingest(partial(named, "name"), partial(followRecord(bob, ann)), partial(edited, "text", "editedAt"))
		w.same("the user who was taken back", w.usersOf(ann)[0], (*feed.User)(nil))
		w.same("the number of followees", len(w.following(bob)), 0)
		w.ingest(partial(empty, "deletedAt"), partial(followRecord(bob, ann), "deletedAt"), partial(edited, "deletedAt"))
		w.same("the user who has returned", w.usersOf(ann)[0], &want)
		w.same("the followees after the return", len(w.following(bob)), 1)
		w.same("the feed after the return", len(w.feedOf(bob)), 1)
		for _, r := range []feed.Record{relationRecord(feed.RelationMute, bob, cem), reactionRecord(feed.ReactionLike, bob, 1), followRecord(bob, ann)} {
			w.same("a record of only its key", w.ingest(partial(r)).Unchanged, 1)
		}
	})
	s.empty("a partial record may follow on an edge that has ended", func(w *world) {
		edges := []feed.Record{
			followRecord(ann, bob), reactionRecord(feed.ReactionLike, ann, 1), relationRecord(feed.RelationMute, ann, cem),
		}
		w.ingest(userRecord(ann), userRecord(bob), userRecord(cem), postRecord(1, bob))
		var whole, ended, kept, back []feed.Record
		for _, e := range edges {
			key := e
			switch {
			case e.Follow != nil:
				key.Follow = &feed.FollowRecord{Follower: ann, Followee: bob}
			case e.Reaction != nil:
				key.Reaction = &feed.ReactionRecord{Reaction: feed.ReactionLike, User: ann, Post: 1}
			case e.Relation != nil:
				key.Relation = &feed.RelationRecord{Kind: feed.RelationMute, User: ann, Target: cem}
			}
			whole, ended = append(whole, e), append(ended, gone(key))
			kept, back = append(kept, partial(key)), append(back, partial(key, "deletedAt"))
		}
		for name, batches := range map[string][][]feed.Record{
			"ends in the batch in which it begins": {append(slices.Clone(whole), ended...)},
			"ends later":                           {whole, ended},
		} {
			for _, b := range batches {
				w.ingest(b...)
			}
			w.same("an edge that "+name+": records without deletedAt", w.ingest(kept...).Unchanged, len(edges))
			w.graphIs(ann, 0, 0)
			w.ingest(back...)
			w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon, ID: int64(bob)}})
			w.same("who ann mutes", w.related(feed.RelationMute, ann), []feed.Key{{TS: noon, ID: int64(cem)}})
			w.same("ann's reactions", w.reactionsOf(ann, 1), feed.ViewerReactions{Liked: true})
			w.ingest(ended...)
		}
		w.same("more after the window", w.dropsEnded(later(), 9), false)
		w.badToIngest(edges[1].Object().String()+" is not stored, so its record must not be partial", kept[1])
	})
	s.empty("a partial record needs an order, an owner and a stored object", func(w *world) {
		w.ingest(userRecord(ann), followRecord(ann, bob))
		one := partial(profileRecord(ann, "", "Anna"), "name")
		w.badToIngest("user "+bob.String()+" is not stored, so its record must not be partial", partial(profileRecord(bob, "", "B"), "name"))
		w.badToIngest("post 7 is not stored, so its record must not be partial", partial(postRecord(7, ann), "text"))
		wrong := feed.Record{User: &feed.UserRecord{User: feed.User{ID: ann, Custom: `[1]`}}}
		w.badToIngest(`the field "custom": custom fields must be a JSON object`, partial(wrong, "custom"))
		w.badToIngest(`the field "name": a name has at most 200 characters`, partial(profileRecord(ann, "", string(make([]byte, 201))), "name"))
		const reason = `the field "partial": only an ordered source that owns the type can send partial records`
		w.same("without order", w.ingestVersion(feed.ObjectVersion{Number: 1}, one).Bad, []feed.BadRecord{{Line: 1, Reason: reason}})
		b := batchOf([]feed.Record{one})
		b.Owned = nil
		w.same("without an owner", w.ingests(b).Bad, []feed.BadRecord{{Line: 1, Reason: reason}})
	})
}
