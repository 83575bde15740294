package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
)

func ingestPositionPromises(s storeSuite) {
	s.empty("a position moves with its batch, once", func(w *world) {
		move := func(from, to string, list ...feed.Record) error {
			b := batchOf(list)
			b.Move = feed.PositionMove{Partition: "0", Identity: "one", From: from, To: to}
			return errorOf(w.Ingester.Ingest(w.ctx, b))
		}
		check(move("", "10", userRecord(ann)))
		check(move("10", "20", userRecord(bob)))
		for _, from := range []string{"", "10", "30"} {
			w.mustBe(feed.ErrPositionMoved, move(from, "40", userRecord(cem)))
		}
		w.same("cem", w.userOf(cem), (*feed.User)(nil))
		b := batchOf([]feed.Record{userRecord(cem)})
		b.Move = feed.PositionMove{Partition: "0", Identity: "another", From: "20", To: "30"}
		w.mustBe(feed.ErrPositionMoved, errorOf(w.Ingester.Ingest(w.ctx, b)))
		got := must(w.Ingester.Positions(w.ctx, theSource))
		for i := range got {
			got[i].MovedAt, got[i].CurrentAt = 0, 0
		}
		w.same("the positions", got, []feed.SourcePosition{{Source: theSource, Partition: "0", Identity: "one", Position: "20"}})
	})
	s.empty("a position has its lag", func(w *world) {
		stored := func() feed.SourcePosition { return must(w.Ingester.Positions(w.ctx, theSource))[0] }
		move := func(from, to string, lag feed.SourceLag) error {
			b := batchOf(nil)
			b.Move = feed.PositionMove{Partition: "0", Identity: "one", From: from, To: to, Lag: lag}
			return errorOf(w.Ingester.Ingest(w.ctx, b))
		}
		check(move("", "10", feed.SourceLag{Millis: -1, Messages: -1}))
		p := stored()
		w.same("an unknown lag", p.Lag(p.MovedAt), feed.SourceLag{Millis: -1, Messages: -1})
		check(move("10", "20", feed.SourceLag{Millis: 700, Messages: 4}))
		p = stored()
		w.same("the lag", p.Lag(p.MovedAt), feed.SourceLag{Millis: 700, Messages: 4})
		w.same("the lag a second later", p.Lag(p.MovedAt+1000), feed.SourceLag{Millis: 1700, Messages: 4})
		moved := p.MovedAt
		check(move("20", "20", feed.SourceLag{}))
		p = stored()
		w.same("the time of the last move", p.MovedAt, moved)
		w.same("the lag at the end", p.Lag(p.CurrentAt), feed.SourceLag{})
		w.failIf(p.CurrentAt < moved, "the partition is current as of %d, before its last move at %d", p.CurrentAt, moved)
		w.mustBe(feed.ErrPositionMoved, move("10", "10", feed.SourceLag{Messages: 9}))
		w.same("the stored lag", stored(), p)
	})
}
