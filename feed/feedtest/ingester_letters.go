package feedtest

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tideline-feeds/tideline/feed"
)

// letters returns all letters without times. The stored counts must be those of the letters.
func (w *world) letters() []feed.DeadLetter {
	list := must(w.DeadLetters.DeadLetters(w.ctx, "", 0, 2*feed.SourceLettersMax))
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
	stored := must(w.Sources.SourceStates(w.ctx)).DeadLetters
	for i := range stored {
		stored[i].Counted = 0 // these have no letters
	}
	w.same("the stored counts", slices.DeleteFunc(stored, func(c feed.DeadLetterCount) bool { return c.Letters == 0 }),
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
	s.empty("a version that would freeze its object is refused", func(w *world) {
		at := func(n int64) feed.ObjectVersion { return feed.ObjectVersion{Number: n} }
		now := w.now()
		micros, nanos, place := now*1000, now*1_000_000, int64(1)<<45
		for user, c := range map[feed.UserID]struct {
			last, next feed.ObjectVersion
			bad        bool
		}{
			101: {at(5), at(math.MaxInt64), true}, 102: {at(now), at(math.MaxInt64), true}, 103: {at(now), at(253402300799000), true},
			104: {at(now), at(micros), true}, 105: {at(micros), at(nanos), true}, 106: {at(nanos), at(math.MaxInt64 - 1<<33), true},
			107: {at(now), feed.ObjectVersion{Epoch: math.MaxInt64, Number: 1}, true},
			111: {at(now), at(now + 3_600_000), false}, 112: {at(nanos), at(nanos + 1), false}, 113: {at(5), at(micros), false},
			114: {at(place), at(8 * place), false}, 115: {at(now), feed.ObjectVersion{Epoch: 1, Number: micros}, false},
		} {
			record := func(name string) feed.Record { return profileRecord(user, "", name) }
			w.ingestVersion(c.last, record("before"))
			got := w.ingestVersion(c.next, record("after"))
			w.same(fmt.Sprintf("bad records of %v after %v", c.next, c.last), len(got.Bad) > 0, c.bad)
			if c.bad {
				w.same("the next record", len(w.ingestVersion(at(c.last.Number+1), record("later")).Updated), 1)
			}
		}
		w.same("a first record without room", len(w.ingestVersion(at(math.MaxInt64), profileRecord(120, "", "x")).Bad), 1)
	})
	s.empty("what cannot be applied becomes a dead letter", func(w *world) {
		wrong := postRecord(1, ann)
		wrong.Post.Kind, wrong.Text = "VIDEO", feed.TextLine("{\"a\": \x00\xff}")
		b := batchOf([]feed.Record{wrong, userRecord(ann)})
		b.Rejected = []feed.Rejected{{Line: 3, Text: []byte("no json"), Reason: "not a JSON object"}}
		b.Move = feed.PositionMove{Partition: "p", Identity: "i", To: "3"}
		origin := feed.LineOrigin{Position: "2", Key: "a\x00\xff", Element: 7}
		b.Origins = []feed.LineOrigin{{Position: "3"}, {}, origin}
		got := w.ingests(b)
		w.same("stored records", got.Stored, 1)
		w.same("the counts", got.Counts, feed.OutcomeCounts{
			{Type: feed.RecordPost, Outcome: feed.OutcomeBad}: 1, {Type: feed.RecordPost, Outcome: feed.OutcomeUnchanged}: 1,
			{Type: feed.RecordUser, Outcome: feed.OutcomeStored}: 1, {Outcome: feed.OutcomeBad}: 1,
		})
		letters := w.letters()
		w.same("the letters", letters, []feed.DeadLetter{
			{ID: letters[0].ID, Source: theSource, Partition: "p", LineOrigin: feed.LineOrigin{Position: "3"}, Object: "post 1", Text: wrong.LineText(), Reason: `"VIDEO" is not a kind`, Tries: 1, Ordered: true},
			{ID: letters[1].ID, Source: theSource, Partition: "p", LineOrigin: origin, Text: []byte("no json"), Reason: "not a JSON object", Tries: 1, Ordered: true},
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
	s.empty("a record that no database can hold is bad alone", func(w *world) {
		for _, text := range []string{"a\x00", "\xff"} {
			for name, r := range map[string]feed.Record{
				"handle": profileRecord(bob, text, ""), "name": profileRecord(bob, "", text), "avatar": {User: &feed.UserRecord{User: feed.User{ID: bob, AvatarURL: text}}},
				"custom": {User: &feed.UserRecord{User: feed.User{ID: bob, Custom: feed.CustomFields(text)}}},
				"text":   {Post: &feed.Post{ID: 1, Author: bob, Kind: feed.KindPost, Text: text}}, "kind": {Post: &feed.Post{ID: 1, Author: bob, Kind: feed.Kind(text)}},
				"media": {Post: &feed.Post{ID: 1, Author: bob, Kind: feed.KindPost, Text: "x", Media: []string{text}}},
				"title": {Live: &feed.LiveRecord{ID: 1, Host: bob, Title: text}}, "replay": {Live: &feed.LiveRecord{ID: 1, Host: bob, Title: "x", StartedAt: 1, EndedAt: 2, ReplayURL: text}},
				"handle of a user who is gone": gone(profileRecord(bob, text, "")), "partial handle": partial(profileRecord(bob, text, ""), "handle"),
				"partial name": partial(profileRecord(bob, "", text), "name"),
			} {
				got := w.ingests(batchOf([]feed.Record{r, profileRecord(ann, "ann", fmt.Sprintf("%s %q", name, text))}))
				w.failIf(got.Stored+len(got.Updated) == 0 || slices.ContainsFunc(got.Bad, func(b feed.BadRecord) bool { return b.Line == 2 }), "a record next to a bad %s: %+v", name, got.Applied)
			}
		}
	})
	s.empty("a letter keeps the beginning of a long line", func(w *world) {
		b := batchOf(nil)
		for _, text := range []string{strings.Repeat("x", feed.LetterBytes), strings.Repeat("y", feed.LetterBytes+1), "z"} {
			b.Rejected = append(b.Rejected, feed.Rejected{Line: 1, Text: []byte(text), Reason: text + "\x00\xff", Cut: text == "z"})
		}
		long := postRecord(1, ann)
		long.Post.Kind, long.Text = "VIDEO", feed.TextLine(strings.Repeat("l", 9999))
		b.Records = []feed.Record{long}
		w.ingests(b)
		var got []string
		for _, l := range w.letters() {
			got = append(got, fmt.Sprintf("%.1s %d %t %v", l.Text, len(l.Text), l.Cut, len(l.Reason) < 600 && utf8.ValidString(l.Reason)))
		}
		w.same("the letters", got, []string{"l 4096 true true", "x 4096 false true", "y 4096 true true", "z 1 true true"})
	})
	s.empty("a source has a limited number of letters, and the rest is counted", func(w *world) {
		bad := func(n, limit int) {
			b := batchOf(nil)
			b.LettersMax = limit
			b.Rejected = slices.Repeat([]feed.Rejected{{Line: 1, Text: []byte("x"), Reason: "bad"}}, n)
			w.same("bad lines in the outcome", w.ingests(b).Counts, feed.OutcomeCounts{{Outcome: feed.OutcomeBad}: n})
		}
		is := func(when string, letters, counted int) {
			w.same("letters "+when, len(must(w.DeadLetters.DeadLetters(w.ctx, theSource, 0, 99_999))), letters)
			got := must(w.Sources.SourceStates(w.ctx)).DeadLetters[0]
			w.same("counts "+when, []int{got.Letters, got.Counted}, []int{letters, counted})
		}
		bad(3, 2)
		bad(5, -1)
		is("of limited batches", 2, 6)
		bad(feed.SourceLettersMax, 0)
		is("of a full source", feed.SourceLettersMax, 8)
		w.ingest(userRecord(ann))
		is("after a good batch", feed.SourceLettersMax, 8)
		must(w.DeadLetters.DropDeadLetters(w.ctx, []int64{w.letters()[0].ID}))
		bad(2, 0)
		is("after a drop", feed.SourceLettersMax, 9)
		w.same("what another source forgets", must(w.DeadLetters.ForgetCounted(w.ctx, "other")), 0)
		is("after that", feed.SourceLettersMax, 9)
		w.same("what is forgotten", must(w.DeadLetters.ForgetCounted(w.ctx, theSource)), 9)
		is("in the end", feed.SourceLettersMax, 0)
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
		scheduled.Post.PublishedAt += 3_600_000
		w.same("bad records when it is put off", len(w.ingests(batchOf([]feed.Record{scheduled})).Bad), 1)
		w.failIf(w.postsOf(1)[0].DeletedAt == 0, "the post stays")
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
	s.empty("the partial record that has all an object needs makes it, and parts stay apart", func(w *world) {
		whole := func() feed.Record {
			r := partial(profileRecord(ann, "", ""), "createdAt", "deletedAt")
			r.User.Private = false
			return r
		}
		part := partial(profileRecord(ann, "ann", "Ann"), "handle", "name")
		w.same("a part before the object", len(w.ingests(batchOf([]feed.Record{part})).Bad), 1)
		w.ingest(whole())
		w.ingest(part)
		w.ingest(whole())
		w.same("the name", w.usersOf(ann)[0].Name, "Ann")
		w.ingest(partial(profileRecord(ann, "", ""), "handle", "name"))
		w.same("the user without the part", w.usersOf(ann)[0].Name, "")
		post := partial(postRecord(1, ann), "author", "kind", "text", "publishedAt", "media", "hasMedia")
		w.ingest(post)
		w.failIf(w.postsOf(1)[0] == nil, "the post is not stored")
	})
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
