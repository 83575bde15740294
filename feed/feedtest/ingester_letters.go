package feedtest

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// letters returns all letters without times. The stored counts must be those of the letters.
func (w *world) letters() []feed.DeadLetter {
	list := must(w.DeadLetters.DeadLetters(w.ctx, "", 0, 100))
	counts := map[string]feed.DeadLetterCount{}
	for i := range list {
		c := counts[list[i].Source]
		c.Source, c.OldestAt = list[i].Source, cmp.Or(c.OldestAt, list[i].CreatedAt)
		c.Letters++
		if list[i].Overtaken {
			c.Overtaken++
		}
		counts[c.Source] = c
	}
	w.same("the stored counts", must(w.Sources.SourceStates(w.ctx)).DeadLetters,
		slices.SortedFunc(maps.Values(counts), func(a, b feed.DeadLetterCount) int { return cmp.Compare(a.Source, b.Source) }))
	for i := range list {
		list[i].CreatedAt, list[i].TriedAt = 0, 0
	}
	return list
}

// retries applies a record in place of a dead letter.
func (w *world) retries(r feed.Record, letter int64) error {
	b := batchOf([]feed.Record{r})
	b.Retried = []int64{letter}
	return errorOf(w.Ingester.Ingest(w.ctx, b))
}

// awaited are awaited users or posts in a report without times.
func awaited[K any](ids ...K) []feed.Awaited[K] {
	return each(ids, func(id K) feed.Awaited[K] { return feed.Awaited[K]{ID: id} })
}

func (w *world) rawReport() feed.SourceReport { return must(w.Sources.ReportSources(w.ctx)) }

// report returns the report without times, which must not be in the future.
func (w *world) report() feed.SourceReport {
	r := w.rawReport()
	states := must(w.Sources.SourceStates(w.ctx))
	states.Now = r.Now
	w.same("the states alone", states, r.SourceStates)
	past := func(at *int64) {
		w.failIf(*at < 1 || *at > r.Now, "a time is %d, and now is %d", *at, r.Now)
		*at = 0
	}
	for i := range r.Positions {
		past(&r.Positions[i].MovedAt)
		past(&r.Positions[i].CurrentAt)
	}
	for i := range r.DeadLetters {
		past(&r.DeadLetters[i].OldestAt)
	}
	for i := range r.Absent.Oldest {
		past(&r.Absent.Oldest[i].Since)
	}
	for i := range r.Posts.Oldest {
		past(&r.Posts.Oldest[i].Since)
	}
	r.Now = 0
	return r
}

func (w *world) dropsEnded(before time.Time, limit int) bool {
	return must(w.Cleaner.DropEndedVersions(w.ctx, feed.Millis(before), limit))
}

func ingestLetterPromises(s storeSuite) {
	s.empty("versions of ended edges are dropped after a while", func(w *world) {
		at := func(number int64) feed.ObjectVersion { return feed.ObjectVersion{Number: number} }
		older := []feed.Record{followRecord(ann, bob), followRecord(ann, cem), postRecord(1, ann)}
		w.ingestVersion(at(2), userRecord(ann), gone(older[0]), gone(older[1]), older[2])
		w.same("more before the window", w.dropsEnded(earlier(), 9), false)
		w.same("outdated records", w.ingestVersion(at(1), older...).Outdated, 3)
		w.same("more after one", w.dropsEnded(later(), 1), true)
		w.same("more after the other", w.dropsEnded(later(), 2), false)
		got := w.ingestVersion(at(1), older...)
		w.same("stored and outdated records", []int{got.Stored, got.Outdated}, []int{2, 1})
		w.same("more when none have ended", w.dropsEnded(later(), 1), false)
	})
	s.empty("what cannot be applied becomes a dead letter", func(w *world) {
		wrong := postRecord(1, ann)
		wrong.Post.Kind, wrong.Text = "VIDEO", feed.TextLine("{\"a\": \x00\xff}")
		b := batchOf([]feed.Record{wrong, userRecord(ann)})
		b.Rejected = []feed.Rejected{{Line: 3, Text: []byte("no json"), Reason: "not a JSON object"}}
		b.Move = feed.PositionMove{Partition: "p", Identity: "i", To: "3"}
		got := w.ingests(b)
		w.same("stored records", got.Stored, 1)
		w.same("the counts", got.Counts, feed.OutcomeCounts{
			{Type: feed.RecordPost, Outcome: feed.OutcomeBad}: 1, {Type: feed.RecordUser, Outcome: feed.OutcomeStored}: 1,
			{Outcome: feed.OutcomeBad}: 1,
		})
		letters := w.letters()
		w.same("the letters", letters, []feed.DeadLetter{
			{ID: letters[0].ID, Source: theSource, Partition: "p", Position: "3", Object: "post 1", Text: wrong.LineText(), Reason: `"VIDEO" is not a kind`, Tries: 1, Ordered: true},
			{ID: letters[1].ID, Source: theSource, Partition: "p", Position: "3", Text: []byte("no json"), Reason: "not a JSON object", Tries: 1, Ordered: true},
		})
		w.same("dropped letters", must(w.DeadLetters.DropDeadLetters(w.ctx, []int64{letters[1].ID, 999})), 1)
		w.same("letters left", len(w.letters()), 1)
	})
	s.empty("a dead letter is retried unless a later record was applied", func(w *world) {
		wrong := postRecord(1, ann)
		wrong.Post.Kind = "VIDEO"
		other := postRecord(2, ann)
		other.Post.Kind = "VIDEO"
		w.ingests(batchOf([]feed.Record{wrong, other}))
		letters := w.letters()
		retry := func(r feed.Record, id int64) feed.Ingested {
			b := batchOf([]feed.Record{r})
			b.Retried = []int64{id}
			return w.ingests(b)
		}
		w.same("a retry that fails", len(retry(wrong, letters[0].ID).Bad), 1)
		w.same("its tries", w.letters()[0].Tries, 2)
		w.ingest(postRecord(2, ann))
		w.same("overtaken letters", []bool{w.letters()[0].Overtaken, w.letters()[1].Overtaken}, []bool{false, true})
		w.same("a retry that succeeds", retry(postRecord(1, ann), letters[0].ID).Stored, 1)
		w.same("letters left", len(w.letters()), 1)
	})
	// A post that is scheduled for later is a dead letter, and is applied by a retry once it is due.
	s.empty("a post that is scheduled is a dead letter until it is due", func(w *world) {
		scheduled := postRecord(1, ann)
		scheduled.Post.PublishedAt = w.now() + 3_600_000
		w.ingests(batchOf([]feed.Record{scheduled}))
		letters := w.letters()
		w.same("the letters", len(letters), 1)
		w.same("the reason", letters[0].Reason, `the field "publishedAt": the post is not published yet; once it is, run: tideline ingest dead --retry-all`)
		scheduled.Post.PublishedAt -= 3_600_001
		b := batchOf([]feed.Record{scheduled})
		b.Retried = []int64{letters[0].ID}
		w.same("the retry when it is due", w.ingests(b).Stored, 1)
		w.same("letters left", len(w.letters()), 0)
	})
	s.empty("an overtaken letter is not applied", func(w *world) {
		w.ingest(userRecord(ann))
		wrong := postRecord(1, ann)
		wrong.Post.Kind = "VIDEO"
		w.ingests(batchOf([]feed.Record{wrong}))
		w.ingests(batchOf([]feed.Record{wrong}))
		letters := w.letters()
		edited := postRecord(1, ann)
		edited.Post.Text = "edited"
		w.same("the retry of the later letter", w.retries(edited, letters[1].ID), error(nil))
		w.same("the earlier letter is overtaken", w.letters()[0].Overtaken, true)
		for _, id := range []int64{letters[0].ID, letters[1].ID} {
			w.mustBe(feed.ErrLetterOvertaken, w.retries(postRecord(1, ann), id))
		}
		w.same("letters left", len(w.letters()), 1)
		must(w.DeadLetters.DropDeadLetters(w.ctx, []int64{letters[0].ID}))
		w.same("letters after a drop", len(w.letters()), 0)
		w.same("the post", w.postsOf(1), []*feed.Post{edited.Post})
	})
	s.empty("positions, dead letters and absent users are reported", func(w *world) {
		before := w.report()
		b := batchOf([]feed.Record{userRecord(ann), followRecord(ann, bob), followRecord(ann, cem)})
		for _, partition := range []string{"b", "B", "a"} {
			b.Source, b.Move = "shop "+partition, feed.PositionMove{Partition: partition, Identity: "i", To: "7"}
			b.Rejected = []feed.Rejected{{Line: 9, Text: []byte("x"), Reason: "bad"}}
			w.ingests(b)
		}
		got := w.report()
		w.same("positions", got.Positions, []feed.SourcePosition{
			{Source: "shop B", Partition: "B", Identity: "i", Position: "7"},
			{Source: "shop a", Partition: "a", Identity: "i", Position: "7"},
			{Source: "shop b", Partition: "b", Identity: "i", Position: "7"},
		})
		w.same("dead letters", got.DeadLetters, []feed.DeadLetterCount{
			{Source: "shop B", Letters: 1}, {Source: "shop a", Letters: 1}, {Source: "shop b", Letters: 1},
		})
		w.same("absent users", got.Absent, feed.AbsentUsers{Awaited: before.Absent.Awaited + 2, TakenBack: before.Absent.TakenBack, Oldest: awaited(bob, cem)})
		w.ingest(userRecord(bob))
		w.same("the oldest after bob's arrival", w.report().Absent.Oldest, awaited(cem))
		w.ingest(userRecord(cem), gone(userRecord(bob)))
		w.same("absent users at the end", w.report().Absent, feed.AbsentUsers{TakenBack: 1})
		wrong := postRecord(1, ann)
		wrong.Post.Kind = "VIDEO"
		w.ingests(batchOf([]feed.Record{wrong}))
		w.ingest(postRecord(1, ann))
		w.same("overtaken letters", w.report().DeadLetters[0], feed.DeadLetterCount{Source: theSource, Letters: 1, Overtaken: 1})
	})
	s.empty("posts that have not arrived are reported, oldest first", func(w *world) {
		says := func(when string, n int, oldest ...feed.PostID) {
			w.same("awaited posts "+when, w.report().Posts, feed.AwaitedPosts{Awaited: n, Oldest: awaited(oldest...)})
		}
		w.ingest(reactionRecord(feed.ReactionLike, ann, 7), repostRecord(2, ann, 8), commentRecord(3, ann, 2), commentRecord(5, ann, 6))
		says("at first", 3, 6, 7, 8)
		since := w.rawReport().Posts.Oldest
		w.ingest(reactionRecord(feed.ReactionLike, bob, 7), gone(reactionRecord(feed.ReactionLike, bob, 99)))
		w.same("the times after a second reference", w.rawReport().Posts.Oldest, since)
		w.ingest(postRecord(8, bob), gone(feed.Record{Post: &feed.Post{ID: 6}}), gone(feed.Record{Post: &feed.Post{ID: 9}}))
		says("after an arrival and a deletion", 1, 7)
		w.ingest(reactionRecord(feed.ReactionLike, ann, 6), reactionRecord(feed.ReactionLike, ann, 8), reactionRecord(feed.ReactionLike, ann, 9))
		says("after references to what is known", 1, 7)
		w.ingest(postRecord(9, bob), gone(postRecord(9, bob)), reactionRecord(feed.ReactionLike, bob, 9))
		says("after a deletion of a stored post", 1, 7)
		var many []feed.Record
		for id := feed.PostID(200); id > 100; id-- {
			many = append(many, reactionRecord(feed.ReactionLike, ann, id))
		}
		w.ingest(many...)
		got := w.report().Posts
		w.same("the number of posts", got.Awaited, 101)
		w.same("the oldest", got.Oldest, awaited[feed.PostID](7, 101, 102, 103, 104, 105, 106, 107, 108, 109))
		must(w.Cleaner.Cleanup(w.ctx, 0, 0, 10))
		w.same("the number of posts after a cleanup", w.report().Posts.Awaited, 101)
	})
}

// followedAnn lets ann have followers, too many for a plan by a batch, and bob have one.
func (w *world) followedAnn() {
	w.ingest(userRecord(ann), userRecord(bob), userRecord(cem), userRecord(dee),
		followRecord(bob, ann), followRecord(cem, ann), followRecord(dee, ann), followRecord(ann, bob))
}

// restore deletes a post and brings it back.
func (w *world) restore(r feed.Record) {
	w.ingest(gone(r))
	w.ingest(r)
}

// planAgain is planOf for the event that is stored now.
func (w *world) planAgain(post feed.PostID, n int) feed.Plan {
	state := must(w.Plans.PlanOf(w.ctx, post))
	p := planOf(post, n)
	p.Attempt = state.Attempt
	return p
}

func ingestFanoutPromises(s storeSuite) {
	s.empty("new and restored posts begin their fan-outs", func(w *world) {
		w.followedAnn()
		got := w.ingest(postRecord(1, ann), postRecord(2, bob), gone(postRecord(3, bob)))
		w.same("posts with a plan", got.Planned, []feed.PostID{2})
		w.same("posts with an event", got.Pending, []feed.PostID{1})
		w.same("pending posts", w.isPending(1, 2), []bool{true, true})
		w.planIs(2, true, feed.SliceRef{Post: 2})
		w.completeSlice(feed.SliceRef{Post: 2})
		w.same("pending after the push", w.isPending(2), []bool{false})
		w.ingest(gone(postRecord(2, bob)))
		got = w.ingest(postRecord(2, bob))
		w.same("the restored post", got.Planned, []feed.PostID{2})
		w.same("pending after the return", w.isPending(2), []bool{true})
	})
	s.empty("a plan from before a post was restored is not stored", func(w *world) {
		w.followedAnn()
		w.ingest(postRecord(1, ann))
		before := w.planAgain(1, 2)
		for range 2 {
			w.restore(postRecord(1, ann))
			w.same("the slices of a plan from before", w.storePlan(before, noon), []feed.SliceRef(nil))
			w.planIs(1, false)
			w.same("the post is pending", w.isPending(1), []bool{true})
		}
		w.same("the due events", w.due(noon, many).Events, events(1, 1))
		w.same("the slices of a new plan", w.storePlan(w.planAgain(1, 1), noon), []feed.SliceRef{ref(1, 0)})
		w.same("the slices after a plan from before", w.storePlan(before, noon), []feed.SliceRef{ref(1, 0)})
		w.planIs(1, true, ref(1, 0))
	})
	s.empty("slices from before a post was restored are fenced off", func(w *world) {
		w.followedAnn()
		for post, author := range map[feed.PostID]feed.UserID{1: ann, 2: bob} {
			w.ingest(postRecord(post, author))
			var before []feed.Slice
			for range 3 {
				if author == ann {
					w.storePlan(w.planAgain(post, 1), noon)
				}
				slice := w.claimSlice(ref(post, 0))
				for _, b := range before {
					w.same("the end of a slice from before is accepted", w.advance(b, b.Last, true, noon+10), false)
				}
				w.same("progress is accepted", w.advance(slice, slice.First, false, noon+10), true)
				before = append(before, slice)
				w.restore(postRecord(post, author))
				w.same("the post is pending", w.isPending(post), []bool{true})
			}
		}
	})
}

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

func userCountersRecord(user feed.UserID, c feed.UserCounters) feed.Record {
	return feed.Record{Counters: &feed.CountersRecord{User: user, UserCounters: c}}
}

func postCountersRecord(post feed.PostID, c feed.PostCounters) feed.Record {
	return feed.Record{Counters: &feed.CountersRecord{Post: post, PostCounters: c}}
}

func (w *world) sourceUserCounters(user feed.UserID) feed.UserCounters {
	return must(w.SourceCounters.UserCounters(w.ctx, []feed.UserID{user}))[0]
}

func (w *world) sourcePostCounters(post feed.PostID) feed.PostCounters {
	return must(w.SourceCounters.PostCounters(w.ctx, []feed.PostID{post}))[0]
}

func ingestCounterPromises(s storeSuite) {
	s.empty("counters of records are absolute, apart from what is counted", func(w *world) {
		w.ingest(profileRecord(ann, "ann", "Ann"), profileRecord(bob, "bob", "Bob"), followRecord(bob, ann), postRecord(1, ann))
		place, version := w.numberAll(), w.viewerVersion(ann)
		user, post := feed.UserCounters{Followers: 1_000_000, Following: 2, Posts: 30}, feed.PostCounters{Likes: 5, Comments: 4, Reposts: 3, Favorites: 2}
		got := w.ingest(userCountersRecord(ann, user), postCountersRecord(1, post), postCountersRecord(2, post))
		w.same("stored records", got.Stored, 3)
		w.same("the log", w.loggedAfter(place), []feed.Change(nil))
		w.same("the version", w.viewerVersion(ann), version)
		w.same("the user of the record", w.sourceUserCounters(ann), user)
		w.same("the post of the record", w.sourcePostCounters(1), post)
		w.same("a post that has not arrived", w.sourcePostCounters(2), post)
		w.same("the user as counted", w.userCounters(ann), feed.UserCounters{Followers: 1, Posts: 1})
		w.same("the post as counted", w.postCounters(1), feed.PostCounters{})
		w.same("a user without a record", w.sourceUserCounters(bob), feed.UserCounters{})

		check(w.Follows.Unfollow(w.ctx, bob, ann))
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 1, noon))
		w.ingest(commentRecord(3, bob, 1), postRecord(4, ann))
		w.same("the user after changes", w.sourceUserCounters(ann), user)
		w.same("the post after changes", w.sourcePostCounters(1), post)

		order := must(w.SourceCounters.PostCounters(w.ctx, []feed.PostID{2, 9, 1}))
		w.same("several posts", order, []feed.PostCounters{post, {}, post})
	})
	s.empty("counters are whole, partial or gone", func(w *world) {
		likes := func(n int64) feed.Record { return postCountersRecord(1, feed.PostCounters{Likes: n, Comments: 7}) }
		w.ingest(likes(5))
		w.same("the same record", w.ingest(likes(5)).Unchanged, 1)
		w.same("what a whole record changes", w.ingest(postCountersRecord(1, feed.PostCounters{Likes: 6})).Updated[0].Fields, []string{"likes", "comments"})
		w.ingest(likes(8), likes(9))
		w.ingest(partial(postCountersRecord(1, feed.PostCounters{Likes: 3}), "likes"))
		w.same("after a partial record", w.sourcePostCounters(1), feed.PostCounters{Likes: 3, Comments: 7})
		w.ingest(gone(likes(0)))
		w.same("after deletedAt", w.sourcePostCounters(1), feed.PostCounters{})
		w.same("deletedAt again", w.ingest(gone(likes(0))).Unchanged, 1)
		w.badToIngest("counters of post 1 is not stored, so its record must not be partial", partial(likes(1), "likes"))
		w.ingest(likes(2))
		w.same("after a return", w.sourcePostCounters(1).Likes, int64(2))
		w.ingest(userCountersRecord(1, feed.UserCounters{}))
		w.ingest(partial(userCountersRecord(1, feed.UserCounters{Posts: 4}), "posts"))
		w.same("zeros are stored", w.sourceUserCounters(1), feed.UserCounters{Posts: 4})
	})
	s.empty("counters have versions", func(w *world) {
		user := func(n int64) feed.Record { return userCountersRecord(ann, feed.UserCounters{Followers: n}) }
		post := func(n int64) feed.Record { return postCountersRecord(feed.PostID(ann), feed.PostCounters{Likes: n}) }
		at := func(n int64) feed.ObjectVersion { return feed.ObjectVersion{Number: n} }
		w.ingestVersion(at(5), user(50), post(60))
		w.same("older records", w.ingestVersion(at(4), user(40), post(40)).Outdated, 2)
		w.same("equal records", w.ingestVersion(at(5), user(50)).Unchanged, 1)
		w.same("another content", w.ingestVersion(at(5), user(51)).Bad, []feed.BadRecord{
			{Line: 1, Reason: "another record of counters of user 9 has the same version and other content"},
		})
		w.ingestVersion(at(6), gone(user(0)))
		w.same("a record from before the end", w.ingestVersion(at(5), user(50)).Outdated, 1)
		w.ingestVersion(feed.ObjectVersion{Epoch: 1, Number: 1}, post(61))
		w.same("the user", w.sourceUserCounters(ann), feed.UserCounters{})
		w.same("the post", w.sourcePostCounters(feed.PostID(ann)), feed.PostCounters{Likes: 61})
		w.same("without a version", w.ingestVersion(at(0), user(1)).Bad, []feed.BadRecord{
			{Line: 1, Reason: `the field "version": without an order of records each needs a version`},
		})
	})
	s.empty("counters name one object, where a source counts", func(w *world) {
		both := postCountersRecord(1, feed.PostCounters{})
		both.Counters.User = ann
		mixed := userCountersRecord(ann, feed.UserCounters{})
		mixed.Counters.Likes = 1
		w.badToIngest(`the field "post": counters need either a user or a post`, both, gone(both), postCountersRecord(0, feed.PostCounters{}))
		w.badToIngest(`the field "user": a user has followers, following and posts as counters`, mixed)

		fit := postCountersRecord(1, feed.PostCounters{Likes: 1})
		own := batchOf([]feed.Record{fit})
		own.Owned = feed.OwnedTypes()
		want := []feed.BadRecord{{Line: 1, Reason: feed.Unowned(feed.RecordCounters)}}
		w.same("where Tideline counts", w.ingests(own).Bad, want)
		w.same("an import where Tideline counts", w.imports(records(fit)).Bad, want)
		letters := must(w.DeadLetters.DeadLetters(w.ctx, theSource, 0, 10))
		last := letters[len(letters)-1]
		w.same("the letter", []string{last.Object, last.Reason}, []string{"counters of post 1", want[0].Reason})
		w.same("the counters", w.sourcePostCounters(1), feed.PostCounters{})
	})
	s.empty("an erased account has no counters", func(w *world) {
		counters := userCountersRecord(ann, feed.UserCounters{Posts: 4})
		w.ingest(profileRecord(ann, "ann", "Ann"), counters)
		erased := profileRecord(ann, "", "")
		erased.User.ErasedAt = noon
		w.ingest(erased)
		w.badToIngest("the account of user 9 was deleted", counters)
		w.purge(many)
		w.same("the counters", w.sourceUserCounters(ann), feed.UserCounters{})
	})
}
