package feedtest

import (
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

func (w *world) letters() []feed.DeadLetter {
	list := must(w.DeadLetters.DeadLetters(w.ctx, "", 0, 100))
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
	var list []feed.Awaited[K]
	for _, id := range ids {
		list = append(list, feed.Awaited[K]{ID: id})
	}
	return list
}

func (w *world) rawReport() feed.SourceReport { return must(w.Sources.ReportSources(w.ctx)) }

// report returns the report without times, which must not be in the future.
func (w *world) report() feed.SourceReport {
	r := w.rawReport()
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
