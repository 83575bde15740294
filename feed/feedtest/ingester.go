package feedtest

import (
	"errors"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// ingesterPromises checks the promises of [feed.Ingester], [feed.DeadLetters] and [feed.SourceReporter].
func ingesterPromises(s storeSuite) {
	s.empty("a record is the whole state of its object", func(w *world) {
		full := profileRecord(ann, "ann", "Ann")
		full.User.AvatarURL, full.User.Custom = "https://example.org/ann.png", custom
		post := postRecord(1, ann)
		w.ingest(full, post)
		edited := postRecord(1, ann)
		edited.Post.Text, edited.Post.Media, edited.Post.Custom, edited.Post.EditedAt = "edited", []string{"a.png"}, custom, noon
		got := w.ingest(profileRecord(ann, "anna", "Anna"), edited)
		w.same("the number of updates", len(got.Updated), 2)
		w.same("the user", w.userOf(ann), &feed.User{ID: ann, Handle: "anna", Name: "Anna", CreatedAt: noon})
		w.same("the post", w.postsOf(1), []*feed.Post{edited.Post})
		w.same("who has the old handle", w.byHandle("ann"), (*feed.User)(nil))
		w.same("the updates by the same content", len(w.ingest(edited).Updated), 0)
		// Within one batch the last record wins.
		w.ingest(profileRecord(ann, "b", "B"), profileRecord(ann, "c", "C"), post, edited, post)
		w.same("the last handle", w.userOf(ann).Handle, "c")
		w.same("the last text", w.postsOf(1)[0].Text, post.Post.Text)
	})
	s.empty("a repost takes language and media that its original has then", func(w *world) {
		repost := func(id feed.PostID) feed.Record {
			r := repostRecord(id, ann, 1)
			r.Post.Text, r.Post.Media, r.Post.Language, r.Post.OtherMedia = "", nil, "", 0
			for _, f := range feed.InheritedFields() {
				f.Leave(r.Post)
			}
			return r
		}
		original, translated := postRecord(1, ann), postRecord(1, ann)
		original.Post.OtherMedia = 0
		translated.Post.Media, translated.Post.Language, translated.Post.OtherMedia = nil, "en", 0
		w.ingest(userRecord(ann), repost(3), original, repost(2), translated, repost(4))
		w.same("updates by the same records", len(w.ingest(repost(2), repost(3), repost(4)).Updated), 0)
		posts := w.postsOf(1, 2, 3, 4)
		w.same("the languages of the original, and of reposts after, before and without it",
			each(posts, func(p *feed.Post) string { return p.Language }), []string{"en", "pt-BR", "", "en"})
		w.same("whether they have media",
			each(posts, (*feed.Post).HasMedia), []bool{false, true, false, false})
	})
	s.empty("a record that changes nothing writes nothing", func(w *world) {
		w.ingest(sampleRecords()...)
		place, version := w.numberAll(), w.viewerVersion(ann)
		got := w.ingest(sampleRecords()...)
		w.same("known records", got.Unchanged, len(sampleRecords()))
		changes := w.loggedAfter(place)
		w.same("the log", changes, []feed.Change(nil))
		w.same("ann's version", w.viewerVersion(ann), version)
		w.same("new fan-outs", len(got.Planned)+len(got.Pending), 0)
	})
	s.empty("missing users are placeholders until they arrive", func(w *world) {
		w.ingest(userRecord(ann), followRecord(ann, bob), postRecord(1, bob), reactionRecord(feed.ReactionLike, cem, 1))
		w.same("ann's feed", w.feedOf(ann), []feed.Key(nil))
		w.same("bob", w.userOf(bob), (*feed.User)(nil))
		w.graphIs(ann, 0, 1)
		w.same("what a build reads", w.covered(ann), []feed.Key{{TS: noon, ID: 1}})
		place := w.numberAll()
		w.ingest(userRecord(bob))
		w.same("ann's feed after bob's arrival", w.feedOf(ann), []feed.Key{{TS: noon, ID: 1}})
		changes := w.loggedAfter(place)
		w.same("the log", withoutNumbers(changes), []feed.Change{{Kind: feed.ChangeAccount, User: bob}})
	})
	s.empty("missing posts show when they arrive", func(w *world) {
		w.ingest(userRecord(ann), userRecord(bob), followRecord(ann, bob), repostRecord(2, bob, 1), commentRecord(3, bob, 1),
			reactionRecord(feed.ReactionLike, ann, 1))
		w.same("ann's feed", w.feedOf(ann), []feed.Key{{TS: noon, ID: 3}})
		w.ingest(postRecord(1, ann))
		w.same("ann's feed after the arrival", w.feedOf(ann), []feed.Key{{TS: noon, ID: 3}, {TS: noon, ID: 2}, {TS: noon, ID: 1}})
		counters := must(w.Counters.PostCounters(w.ctx, []feed.PostID{1}))
		w.same("the counters", counters, []feed.PostCounters{{Likes: 1, Comments: 1, Reposts: 1}})
	})
	// The test sends reposts before what they repost, so no record alone shows the chain.
	s.empty("reposts in a cycle or a long chain are not visible", func(w *world) {
		const first = 100
		last := first + feed.PostID(feed.DefaultPolicy().RepostDepth)
		w.ingest(userRecord(ann), userRecord(bob), followRecord(bob, ann))
		for id := last + 2; id > first; id-- {
			w.ingest(repostRecord(id, ann, id-1))
		}
		w.ingest(repostRecord(1, ann, 2), repostRecord(2, ann, 3), repostRecord(3, ann, 1), repostRecord(4, ann, 4))
		w.same("the feed without the original", len(w.feedOf(bob)), 0)
		w.ingest(postRecord(first, ann))

		var want []feed.Key
		var ids []feed.PostID
		for id := last + 2; id >= first; id-- {
			ids = append(ids, id)
			if id <= last {
				want = append(want, feed.Key{TS: noon, ID: int64(id)})
			}
		}
		w.same("the feed", w.feedOf(bob), want)
		viewers := timeline.Direct{Relations: w.Relations, Outboxes: w.Outboxes, Posts: w.Posts, Primary: w.Posts}
		judged := must(feed.Judge(w.ctx, bob, viewers.State(bob), append(ids, 1, 2, 3, 4), feed.ScopeHome))
		var shown []feed.Key
		for _, p := range judged {
			if p != nil {
				shown = append(shown, p.Key())
			}
		}
		w.same("the posts that reads show", shown, want)
	})
	s.empty("what is taken back is hidden, and shows again when it returns", func(w *world) {
		w.ingest(userRecord(ann), userRecord(bob), followRecord(ann, bob), postRecord(1, bob), postRecord(2, bob), repostRecord(3, ann, 2))
		whole := w.feedOf(ann)
		place := w.numberAll()
		w.ingest(gone(postRecord(2, bob)))
		w.same("ann's feed without post 2", w.feedOf(ann), []feed.Key{{TS: noon, ID: 1}})
		changes := w.loggedAfter(place)
		place = w.numberAll()
		w.same("the log", withoutNumbers(changes), []feed.Change{
			ofPost(feed.ChangeDeleted, bob, 2), judgedAgain(ann, 3),
		})
		w.ingest(gone(feed.Record{User: &feed.UserRecord{User: feed.User{ID: bob}}}))
		w.same("ann's feed without bob", w.feedOf(ann), []feed.Key(nil))
		w.ingest(postRecord(2, bob), userRecord(bob))
		w.same("ann's feed after both returned", w.feedOf(ann), whole)
		changes = w.loggedAfter(place)
		if len(changes) == 0 {
			w.t.Error("the return is not logged")
		}
		// What was never there is not made by taking it back.
		got := w.ingest(gone(feed.Record{Post: &feed.Post{ID: 9}}), gone(feed.Record{User: &feed.UserRecord{User: feed.User{ID: 99}}}))
		w.same("known records", got.Unchanged, 1)
		w.same("a user who was never there", w.userOf(99), (*feed.User)(nil))
	})
	s.empty("edges end and are made again", func(w *world) {
		edges := []feed.Record{
			followRecord(ann, bob), reactionRecord(feed.ReactionFavorite, ann, 1), relationRecord(feed.RelationMute, bob, ann),
		}
		w.ingest(append([]feed.Record{userRecord(ann), userRecord(bob), postRecord(1, bob)}, edges...)...)
		for range 2 {
			before := w.view()
			for _, e := range edges {
				w.ingest(gone(e))
			}
			w.graphIs(ann, 0, 0)
			w.same("the reactions", w.reactionsOf(ann, 1), feed.ViewerReactions{})
			w.same("who bob mutes", w.related(feed.RelationMute, bob), []feed.Key(nil))
			w.same("who ann has unfollowed", w.unfollowed(ann), []feed.UserID{bob})
			w.ingest(edges...)
			w.graphIs(ann, 0, 1)
			w.same("what shows", w.view(), before)
		}
		later := followRecord(ann, bob)
		later.Follow.CreatedAt++
		w.ingest(later)
		w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon + 1, ID: int64(bob)}})
		w.badToIngest("user 1 cannot follow themselves", followRecord(1, 1))
	})
	s.promise("a record cannot give a post another author", func(w *world) {
		w.ingest(postRecord(1, ann))
		w.same("the number of bad records", len(w.ingests(batchOf([]feed.Record{postRecord(1, bob)})).Bad), 1)
		w.same("the author", w.postsOf(1)[0].Author, ann)
	})
	s.empty("a handle leads to the present user who was created first", func(w *world) {
		finds := func(after string, want feed.UserID) {
			var id feed.UserID
			if u := w.byHandle("same"); u != nil {
				id = u.ID
			}
			w.same("who is found after "+after, id, want)
		}
		first := profileRecord(dee, "SAME", "Dee")
		first.User.CreatedAt--
		w.ingest(profileRecord(cem, "same", "Cem"))
		w.ingest(profileRecord(bob, "Same", "Bob"), profileRecord(ann, "", "Ann"))
		finds("two of the same age", bob)
		w.ingest(first)
		finds("an older one", dee)
		w.ingest(gone(first))
		finds("a deletion", bob)
		w.ingest(first)
		finds("a return", dee)
		w.ingest(profileRecord(dee, "dee", "Dee"))
		finds("a rename", bob)
		w.ingest(profileRecord(bob, "", "Bob"))
		finds("the loss of a handle", cem)
		w.ingest(profileRecord(bob, "same", "Bob"))
		finds("its return", bob)
		w.ingest(feed.Record{User: &feed.UserRecord{User: feed.User{ID: bob}, ErasedAt: noon}})
		finds("an erased account", cem)
		// In one batch.
		w.ingest(profileRecord(cem, "dee", "Cem"), profileRecord(dee, "same", "Dee"))
		finds("a swap", dee)
		w.same("who has the other handle", w.byHandle("dee").ID, cem)
		w.ingest(gone(profileRecord(cem, "", "")), gone(first))
		finds("the last deletion", 0)
	})
	s.empty("a handle that a source's user had is not reserved", func(w *world) {
		w.ingest(profileRecord(ann, "former", "Ann"))
		w.ingest(profileRecord(ann, "", "Ann"))
		w.same("a user of Tideline who takes it", w.ensured(&feed.User{ID: bob, Handle: "former", Name: "Bob", CreatedAt: noon}).ID, bob)
	})
	s.empty("an erased account stays deleted", func(w *world) {
		w.ingest(userRecord(ann), userRecord(bob), followRecord(ann, bob), postRecord(1, bob))
		erased := feed.Record{User: &feed.UserRecord{User: feed.User{ID: bob}, ErasedAt: noon}}
		w.ingest(erased)
		w.purge(100)
		w.same("ann's feed", w.feedOf(ann), []feed.Key(nil))
		w.same("records again", w.ingest(erased, gone(followRecord(ann, bob))).Unchanged, 2)
		w.badToIngest("the account of user "+bob.String()+" was deleted", userRecord(bob), followRecord(ann, bob), postRecord(2, bob),
			relationRecord(feed.RelationBlock, ann, bob), reactionRecord(feed.ReactionLike, bob, 1))
	})
	s.empty("kind, time and references of a post stay, and all else follows the source", func(w *world) {
		w.ingest(userRecord(ann), userRecord(bob), postRecord(1, ann), postRecord(2, ann), commentRecord(3, bob, 1))
		for n, change := range []func(p, c *feed.Post){
			func(p, _ *feed.Post) { p.PublishedAt++ },
			func(p, _ *feed.Post) { p.Kind, p.RepostOf = feed.KindRepost, 1 },
			func(_, c *feed.Post) { c.ReplyTo = 2 },
			func(_, c *feed.Post) { c.ReplyTo = 0 }, // as after ON DELETE SET NULL
			func(_, c *feed.Post) { c.Kind, c.ReplyTo = feed.KindPost, 0 },
		} {
			text := fmt.Sprintf("redacted %d times", n+1)
			post, comment := postRecord(2, ann), commentRecord(3, bob, 1)
			post.Post.Text, comment.Post.Text = text, text
			want := []*feed.Post{postRecord(2, ann).Post, commentRecord(3, bob, 1).Post}
			want[0].Text, want[1].Text = text, text
			change(post.Post, comment.Post)
			w.ingest(post, comment)
			w.same("the posts", w.postsOf(2, 3), want)
		}
		w.badToIngest("a COMMENT needs replyTo", feed.Record{Post: &feed.Post{ID: 4, Author: bob, Kind: feed.KindComment, Text: "x", PublishedAt: noon}})
	})
	s.empty("a post of another author is hidden until the first one has it again", func(w *world) {
		w.ingest(userRecord(ann), userRecord(bob), postRecord(1, ann))
		w.same("what is bad", len(w.ingests(batchOf([]feed.Record{postRecord(1, bob)})).Bad), 1)
		w.failIf(w.postsOf(1)[0].DeletedAt == 0, "the post stays")
		w.ingest(postRecord(1, ann))
		w.failIf(w.postsOf(1)[0].DeletedAt != 0, "the post stays hidden")
	})
	s.empty("on ways without order the highest version wins", func(w *world) {
		at := func(number int64) feed.ObjectVersion { return feed.ObjectVersion{Number: number} }
		w.ingestVersion(at(5), profileRecord(ann, "five", ""), postRecord(1, ann), followRecord(ann, bob))
		older := w.ingestVersion(at(4), profileRecord(ann, "four", ""))
		w.same("an older record", older.Outdated, 1)
		w.same("its count", older.Counts, feed.OutcomeCounts{{Type: feed.RecordUser, Outcome: feed.OutcomeOutdated}: 1})
		w.same("the same record", w.ingestVersion(at(5), profileRecord(ann, "five", "")).Unchanged, 1)
		got := w.ingestVersion(at(5), profileRecord(ann, "other", ""))
		w.same("another record of the same version", got.Bad, []feed.BadRecord{
			{Line: 1, Reason: "another record of user " + ann.String() + " has the same version and other content"},
		})
		w.same("the handle", w.userOf(ann).Handle, "five")
		w.ingestVersion(feed.ObjectVersion{Epoch: 1, Number: 1}, profileRecord(ann, "epoch", ""))
		w.same("a higher number of an older epoch", w.ingestVersion(at(9), profileRecord(ann, "nine", "")).Outdated, 1)
		w.same("the handle of the epoch", w.userOf(ann).Handle, "epoch")
		w.same("a record without a version", len(w.ingestVersion(feed.ObjectVersion{}, userRecord(bob)).Bad), 1)
		w.ingestVersion(at(7), gone(followRecord(ann, bob)))
		w.same("the follow before its end", w.ingestVersion(at(6), followRecord(ann, bob)).Outdated, 1)
		w.graphIs(ann, 0, 0)
	})
	s.empty("versions are kept for objects that are not stored", func(w *world) {
		at := func(number int64) feed.ObjectVersion { return feed.ObjectVersion{Number: number} }
		w.ingest(userRecord(ann))
		w.ingestVersion(at(2), gone(postRecord(1, ann)), gone(followRecord(ann, bob)), gone(userRecord(cem)))
		got := w.ingestVersion(at(1), postRecord(1, ann), followRecord(ann, bob), userRecord(cem))
		w.same("outdated records", got.Outdated, 3)
		stored := w.postsOf(1)[0]
		w.failIf(stored.DeletedAt == 0 || stored.Text != "" || stored.Media != nil, "the stored post is %+v", stored)
	})
	// The test sends records without texts, whose content another service has.
	s.empty("a later version renews content that another service has", func(w *world) {
		skeleton := postRecord(1, ann)
		skeleton.Post.Text, skeleton.Post.Media, skeleton.Post.OtherMedia = "", nil, 0
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
		send(7, nil, feed.Record{Post: &feed.Post{ID: 2, DeletedAt: noon}})
		w.same("the log after a load, another owner and an unknown post", w.loggedAfter(place), []feed.Change(nil))

		versions := must(w.Versions.ObjectVersions(w.ctx, []feed.Object{
			{Type: feed.RecordUser, A: int64(ann)}, {Type: feed.RecordUser, A: 1}, {Type: feed.RecordPost, A: 1}, {Type: feed.RecordPost, A: 2},
		}))
		w.same("versions", versions, []feed.ObjectVersion{{Number: 6}, {}, {Number: 5}, {Number: 7}})
	})
	s.empty("on ordered ways versions do not count", func(w *world) {
		for i, handle := range []string{"b", "a"} {
			r := profileRecord(ann, handle, "")
			r.Version = feed.ObjectVersion{Number: int64(9 - i)}
			w.ingest(r)
		}
		w.same("the handle", w.userOf(ann).Handle, "a")
	})
	s.empty("types that the source does not own only add", func(w *world) {
		w.ingest(userRecord(ann), postRecord(1, ann))
		b := batchOf([]feed.Record{profileRecord(ann, "other", ""), followRecord(ann, 77), gone(followRecord(ann, bob)), postRecord(2, bob)})
		b.Owned = feed.RecordTypes{feed.RecordPost}
		got := w.ingests(b)
		w.same("the user differs", len(got.Different), 1)
		w.same("bad records", got.Bad, []feed.BadRecord{
			{Line: 2, Reason: "no user 77"},
			{Line: 3, Reason: `the field "deletedAt": only a source that owns the type follow can remove objects`},
		})
		w.same("the author that a post has named", w.userOf(bob), (*feed.User)(nil))
	})
	s.empty("each change is logged and raises the versions of viewers, not the generation", func(w *world) {
		w.ingest(userRecord(ann), userRecord(bob), userRecord(cem))
		place, before := w.numberAll(), w.viewerVersion(ann)
		w.ingest(followRecord(ann, bob), relationRecord(feed.RelationBlock, bob, ann), postRecord(1, ann), profileRecord(cem, "c", ""))
		after := w.viewerVersion(ann)
		w.same("the version rises", after.Version > before.Version, true)
		w.same("the generation stays", after.Generation, before.Generation)
		changes := w.loggedAfter(place)
		w.same("the number of changes", len(changes), 5)
		for _, want := range []feed.Change{
			feed.FollowChange(ann, bob, false), blockOf(bob, ann, true)[0], blockOf(bob, ann, true)[1],
			{Kind: feed.ChangePublished, User: ann, Post: 1},
			{Kind: feed.ChangeProfile, User: cem},
		} {
			w.failIf(!hasChange(withoutNumbers(changes), want), "%+v is not logged in %+v", want, changes)
		}
	})
	s.empty("sessions follow their records", func(w *world) {
		r := feed.Record{Live: &feed.LiveRecord{ID: 5, Host: ann, Title: "tea", ScheduledAt: noon}}
		w.ingest(r)
		begun := *r.Live
		begun.Title, begun.StartedAt = "more tea", noon
		w.same("updates", len(w.ingest(feed.Record{Live: &begun}).Updated), 1)
		w.same("known", w.ingest(feed.Record{Live: &begun}).Unchanged, 1)
		over := begun
		over.EndedAt = noon + 1
		b := batchOf([]feed.Record{{Live: &over}})
		w.same("the fan-outs of a replay", w.ingests(b).Pending, []feed.PostID{feed.ReplayRef(5)})
		w.same("the fan-outs of a known one", w.ingests(b).Pending, []feed.PostID(nil))
		w.failIf(must(w.Fanouts.FanoutOf(w.ctx, feed.ReplayRef(5), 0)) == nil, "no fan-out of the replay is stored")
		other := feed.Record{Live: &feed.LiveRecord{ID: 6, Host: ann, Title: "off", ScheduledAt: noon}}
		w.ingest(other)
		w.same("taken back", len(w.ingest(gone(other)).Updated), 1)
		w.same("taken back again", w.ingest(gone(other)).Unchanged, 1)
		if got := w.ingests(batchOf([]feed.Record{r})); len(got.Bad) != 1 {
			w.t.Error("a session that has begun is upcoming again")
		}
	})
	s.empty("being seen raises the lease", func(w *world) {
		seen := func(user feed.UserID, at int64) feed.Record {
			return feed.Record{Seen: &feed.SeenRecord{User: user, At: at}}
		}
		w.ingest(profileRecord(ann, "ann", ""))
		w.ingest(seen(ann, noon), seen(bob, noon), seen(ann, noon-5))
		w.same("ann's last activity", w.seen(ann), noon)
		w.same("ann's lease", w.leaseEnd(ann), noon+feed.DefaultPolicy().ActiveFor.Milliseconds())
		w.same("bob, who has not arrived", w.userOf(bob), (*feed.User)(nil))
	})
	s.empty("a strict batch with anything bad changes nothing", func(w *world) {
		b := batchOf([]feed.Record{userRecord(ann), {Post: &feed.Post{ID: 1, Author: ann, Kind: "OTHER", PublishedAt: noon}}})
		b.Rejected = []feed.Rejected{{Line: 9, Text: []byte("x"), Reason: "no record"}}
		b.Move = feed.PositionMove{Partition: "0", Identity: "one", To: "10"}
		b.Strict, b.Origins = true, []feed.LineOrigin{{Position: "4"}, {Position: "7"}}
		_, err := w.Ingester.Ingest(w.ctx, b)
		var strict *feed.StrictError
		w.failIf(!errors.As(err, &strict) || strict.Line != 2, "a strict batch with a bad record returns %v", err)
		w.same("ann", w.userOf(ann), (*feed.User)(nil))
		w.same("the dead letters", len(w.letters()), 0)
		b.Strict = false
		w.ingests(b)
		positions := each(w.letters(), func(l feed.DeadLetter) string { return l.Position })
		w.same("the positions of letters", positions, []string{"7", "10"})
	})
	ingestPartialPromises(s)
	ingestLetterPromises(s)
	ingestFanoutPromises(s)
	ingestPositionPromises(s)
	ingestCounterPromises(s)
}

// theSource is the name of the source in these tests.
const theSource = "shop"

func batchOf(list []feed.Record) feed.SourceBatch {
	return feed.SourceBatch{
		Batch: feed.Batch{
			Records: records(list...), Owned: append(feed.OwnedTypes(), feed.RecordCounters), Ordered: true, ActiveFor: feed.DefaultPolicy().ActiveFor,
		},
		Source:   theSource,
		Dispatch: feed.FirstDispatch{PlanBelow: 3, EventDue: noon, SliceDue: noon},
	}
}

func (w *world) ingests(b feed.SourceBatch) feed.Ingested { return must(w.Ingester.Ingest(w.ctx, b)) }

// ingest applies records of an ordered source that owns all types. None may be bad.
func (w *world) ingest(list ...feed.Record) feed.Ingested {
	result := w.ingests(batchOf(list))
	if len(result.Bad) > 0 {
		w.t.Fatalf("bad records: %+v", result.Bad)
	}
	return result
}

// ingestVersion applies records of a source without order under one version.
func (w *world) ingestVersion(v feed.ObjectVersion, list ...feed.Record) feed.Ingested {
	b := batchOf(list)
	b.Ordered = false
	for i := range b.Records {
		b.Records[i].Version = v
	}
	return w.ingests(b)
}

// bad checks that each record is refused for the reason.
func (w *world) badToIngest(reason string, list ...feed.Record) {
	for _, r := range list {
		got := w.ingests(batchOf([]feed.Record{r}))
		for i := range got.Bad {
			got.Bad[i].Hides = false // unfitRecordPromises is about that
		}
		w.same(r.Object().String(), got.Bad, []feed.BadRecord{{Line: 1, Reason: reason}})
	}
}

func profileRecord(id feed.UserID, handle, name string) feed.Record {
	return feed.Record{User: &feed.UserRecord{User: feed.User{ID: id, Handle: handle, Name: name, CreatedAt: noon}}}
}

func gone(r feed.Record) feed.Record {
	switch {
	case r.User != nil:
		u := *r.User
		u.DeletedAt = noon
		r.User = &u
	case r.Post != nil:
		p := *r.Post
		p.DeletedAt = noon
		r.Post = &p
	default:
		r.EndedAt = noon
	}
	return r
}

// loggedAfter returns the changes after a place, once all have numbers.
func (w *world) loggedAfter(place feed.ChangePlace) []feed.Change {
	w.numberAll()
	changes, _ := w.changesAfter(place)
	return changes
}

func (w *world) unfollowed(viewer feed.UserID) []feed.UserID {
	return must(w.Coverage.Unfollowed(w.ctx, viewer, 0))
}

func hasChange(list []feed.Change, want feed.Change) bool {
	for _, c := range list {
		if c == want {
			return true
		}
	}
	return false
}
