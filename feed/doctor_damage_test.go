package feed_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// reversed hands out entries in the wrong order.
type reversed struct{ feed.Inboxes }

func (r reversed) Read(ctx context.Context, viewer feed.UserID, rg feed.Range) (feed.Inbox, error) {
	in, err := r.Inboxes.Read(ctx, viewer, rg)
	slices.Reverse(in.Keys)
	return in, err
}

// broken has an inbox that cannot be read.
type broken struct {
	feed.Inboxes
	err error
}

func (b broken) Read(context.Context, feed.UserID, feed.Range) (feed.Inbox, error) {
	return feed.Inbox{}, b.err
}

// wishful is a reference query that has one content less, or more.
type wishful struct {
	feed.Reference
	less, more feed.Key
}

func (w wishful) Feed(ctx context.Context, viewer feed.UserID, r feed.Range) ([]feed.Key, error) {
	keys, err := w.Reference.Feed(ctx, viewer, r)
	keys = slices.DeleteFunc(keys, func(k feed.Key) bool { return k == w.less })
	if r.Holds(w.more) {
		keys = slices.Insert(keys, 0, w.more)
	}
	return keys, err
}

func TestADoctorFindsEveryKindOfDamage(t *testing.T) {
	both := found{feed.FindingMissingEntry: 1, feed.FindingMissingInFeed: 1}
	for name, c := range map[string]struct {
		damage func(v town, d *feed.Doctor, one, two feed.Key)
		want   found
	}{
		"an entry is gone": {func(v town, _ *feed.Doctor, _, two feed.Key) {
			v.amend(ann, nil, []feed.Key{two})
		}, both},
		"an entry by a selective author is gone": {func(v town, _ *feed.Doctor, one, _ feed.Key) {
			v.amend(ann, nil, []feed.Key{one})
		}, both},
		"an entry by somebody muted is gone": {func(v town, _ *feed.Doctor, _, two feed.Key) {
			v.relate(feed.RelationMute, ann, bob)
			v.reconcile(ann)
			v.amend(ann, nil, []feed.Key{two})
		}, found{feed.FindingMissingEntry: 1}},
		"an entry by a stranger": {func(v town, _ *feed.Doctor, _, _ feed.Key) {
			v.push(ann, v.publish(moon, 3, feed.Draft{Text: "strange"}).Key())
		}, found{feed.FindingForeignEntry: 1}},
		"an entry of nothing": {func(v town, _ *feed.Doctor, one, _ feed.Key) {
			v.push(ann, feed.Key{TS: one.TS, ID: 99})
		}, found{feed.FindingUnknownEntry: 1}},
		"an entry under another time": {func(v town, _ *feed.Doctor, _, two feed.Key) {
			v.amend(ann, []feed.Key{{TS: two.TS + 5, ID: two.ID}}, []feed.Key{two})
		}, found{feed.FindingMisdatedEntry: 1, feed.FindingMissingEntry: 1}},
		"a floor that is too low": {func(v town, _ *feed.Doctor, _, two feed.Key) {
			v.forge(ann, v.header(ann).Generation, feed.Build{Keys: []feed.Key{two}, Version: v.header(ann).Version, WarmUntil: v.header(ann).WarmUntil})
		}, both},
		"a version ahead of the database": {func(v town, _ *feed.Doctor, _, _ feed.Key) {
			v.forge(ann, v.header(ann).Generation, feed.Build{Version: 1000})
		}, found{feed.FindingHeaderAhead: 1}},
		"a generation ahead of the database": {func(v town, _ *feed.Doctor, _, _ feed.Key) {
			v.forge(ann, v.header(ann).Generation+1, feed.Build{})
		}, found{feed.FindingHeaderAhead: 1}},
		"warmth that was never earned": {func(v town, _ *feed.Doctor, _, _ feed.Key) {
			v.lapse()
			v.post(star, 3)
			v.work()
			in := v.header(ann)
			v.forge(ann, in.Generation, feed.Build{Keys: in.Keys, Version: in.Version, WarmUntil: v.Clock.Millis() + 1000})
		}, both},
		"an inbox that cannot be read": {func(_ town, d *feed.Doctor, _, _ feed.Key) {
			d.Inboxes = broken{d.Inboxes, errors.New("gibberish")}
		}, found{feed.FindingUnreadable: 1}},
		"a read that skips a content": {func(_ town, d *feed.Doctor, one, _ feed.Key) {
			d.Reference = wishful{Reference: d.Reference, more: feed.Key{TS: one.TS + 10, ID: 98}}
		}, found{feed.FindingMissingInFeed: 1}},
		"a read that shows too much": {func(_ town, d *feed.Doctor, _, two feed.Key) {
			d.Reference = wishful{Reference: d.Reference, less: two}
		}, found{feed.FindingExtraInFeed: 1}},
		"a read in disorder": {func(_ town, d *feed.Doctor, _, _ feed.Key) {
			direct := d.Home.(*timeline.Timeline).Viewers.(*timeline.Direct) //nolint:forcetypeassert // doctor makes it so
			direct.Inboxes = reversed{direct.Inboxes}
		}, found{feed.FindingOutOfOrder: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			v := newPractice(t)
			d, keys := v.doctor(), v.header(ann).Keys
			v.finds(d, nil)
			c.damage(v, d, keys[1], keys[0])
			r := v.finds(d, c.want)
			n := 0
			for kind, count := range c.want {
				if !kind.Explain().Wrong {
					t.Errorf("%s does not count as wrong", kind)
				}
				n += count
			}
			if r.WrongCount() != n || len(r.Wrong) != n || len(r.Explained) != 0 {
				t.Errorf("the report is %+v", r)
			}
		})
	}
}
