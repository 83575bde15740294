package sqlstore_test

import (
	"errors"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

func TestUseOwners_ChangesOnPurposeOnly(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		types := func(list ...feed.RecordType) feed.RecordTypes { return append(feed.RecordTypes{}, list...) }
		for i, step := range []struct {
			want, was, owned feed.RecordTypes
			changed, refused bool
		}{
			{owned: types()},
			{want: types(), owned: types()},
			{want: types("user", "post"), owned: types("user", "post"), changed: true},
			{owned: types("user", "post")},
			{want: types("post", "user"), owned: types("user", "post")},
			{want: types("user"), refused: true},
			{want: types(), refused: true},
			{want: types("user"), was: types("post"), refused: true},
			{want: types("user"), was: types("post", "user"), owned: types("user"), changed: true},
			{want: types("user"), was: types("post", "user"), owned: types("user")},
			{want: types(), was: types("user"), owned: types(), changed: true},
			{want: types("live"), owned: types("live"), changed: true},
		} {
			owned, changed, err := s.UseOwners(t.Context(), sqlstore.Owners{Want: step.want, Was: step.was})
			var refusal *sqlstore.ErrOwners
			mustBeStep(t, i, step.refused, errors.As(err, &refusal), err, owned.Same(step.owned) && changed == step.changed)
		}
	})
}

// mustBeStep checks that a change was refused if wanted, and else has the wanted result.
func mustBeStep(t *testing.T, i int, want, refused bool, err error, asWanted bool) {
	t.Helper()
	if refused != want || err != nil && !refused || !refused && !asWanted {
		t.Fatalf("step %d: refused: %t, as wanted: %t, %v", i, refused, asWanted, err)
	}
}

func TestUseCounters_ChangesOnPurposeOnly(t *testing.T) {
	const own, source = feed.CountersOwn, feed.CountersSource
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		for i, step := range []struct {
			want, was, mode  feed.CounterMode
			changed, refused bool
		}{
			{mode: own},
			{want: own, mode: own},
			{want: source, mode: source, changed: true},
			{mode: source},
			{want: source, was: own, mode: source},
			{want: own, refused: true},
			{want: own, was: own, refused: true},
			{want: own, was: source, mode: own, changed: true},
			{want: own, was: source, mode: own},
		} {
			mode, changed, err := s.UseCounters(t.Context(), sqlstore.CounterOwner{Want: step.want, Was: step.was})
			var refusal *sqlstore.ErrCounters
			mustBeStep(t, i, step.refused, errors.As(err, &refusal), err, mode == step.mode && changed == step.changed)
		}
	})
}

func TestUseCounters_OwnForgetsTheSource(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		record := feed.Record{
			Counters: &feed.CountersRecord{User: 7, UserCounters: feed.UserCounters{Posts: 3}}, Version: feed.ObjectVersion{Number: 5},
		}
		ingest := func() feed.Ingested {
			t.Helper()
			got, err := s.Ingest(t.Context(), feed.SourceBatch{Batch: feed.Batch{Records: []feed.Record{record}, Owned: feed.RecordTypes{feed.RecordCounters}}})
			must(t, err)
			return got
		}
		ingest()
		for _, want := range []feed.CounterMode{feed.CountersSource, feed.CountersOwn, feed.CountersSource} {
			_, _, err := s.UseCounters(t.Context(), sqlstore.CounterOwner{Want: want, Was: feed.CountersSource})
			must(t, err)
		}
		if got, err := s.SourceCounters().UserCounters(t.Context(), []feed.UserID{7}); err != nil || got[0] != (feed.UserCounters{}) {
			t.Errorf("the counters are %+v: %v", got, err)
		}
		if got := ingest(); got.Stored != 1 {
			t.Errorf("the same record afterwards: %+v", got)
		}
	})
}
