package examine_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/examine"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// reversed returns entries in the wrong order.
type reversed struct{ feed.Inboxes }

func (r reversed) Read(ctx context.Context, viewer feed.UserID, rg feed.Range) (feed.Inbox, error) {
	in, err := r.Inboxes.Read(ctx, viewer, rg)
	slices.Reverse(in.Keys)
	return in, err
}

// broken fails every read of an inbox.
type broken struct {
	feed.Inboxes
	err error
}

func (b broken) Read(context.Context, feed.UserID, feed.Range) (feed.Inbox, error) {
	return feed.Inbox{}, b.err
}

// wrongReference is a reference query that lacks one key, or has another one.
type wrongReference struct {
	feed.Reference
	less, more feed.Key
}

func (w wrongReference) Feed(ctx context.Context, viewer feed.UserID, of feed.Authors, r feed.Range) ([]feed.Key, error) {
	keys, err := w.Reference.Feed(ctx, viewer, of, r)
	keys = slices.DeleteFunc(keys, func(k feed.Key) bool { return k == w.less })
	if r.Holds(w.more) {
		keys = slices.Insert(keys, 0, w.more)
	}
	return keys, err
}

// directOf returns what opens the viewer states of an examiner of the fixture.
func directOf(x *examine.Examiner) *timeline.Direct {
	return x.Viewers.(*timeline.Direct) //nolint:forcetypeassert // the fixture creates this type
}

func TestExaminer_FindsEveryKindOfDamage(t *testing.T) {
	both := fixture.Found{examine.MissingEntry: 1, examine.MissingInFeed: 1}
	for name, c := range map[string]struct {
		damage func(v fixture.Service, x *examine.Examiner, one, two feed.Key)
		want   fixture.Found
	}{
		"an entry is gone": {func(v fixture.Service, _ *examine.Examiner, _, two feed.Key) { v.AmendInbox(ann, nil, []feed.Key{two}) }, both},
		"an entry by a selective author is gone": {func(v fixture.Service, _ *examine.Examiner, one, _ feed.Key) {
			v.AmendInbox(ann, nil, []feed.Key{one})
		}, both},
		"an entry by a muted author is gone": {func(v fixture.Service, _ *examine.Examiner, _, two feed.Key) {
			v.Relate(feed.RelationMute, ann, bob)
			v.Reconcile(ann)
			v.AmendInbox(ann, nil, []feed.Key{two})
		}, fixture.Found{examine.MissingEntry: 1}},
		"an entry by a stranger": {func(v fixture.Service, _ *examine.Examiner, _, _ feed.Key) {
			v.PushKey(ann, v.Publish(moon, 3, publish.Draft{Text: "strange"}).Key())
		}, fixture.Found{examine.ForeignEntry: 1}},
		"an entry without a post": {func(v fixture.Service, _ *examine.Examiner, one, _ feed.Key) {
			v.PushKey(ann, feed.Key{TS: one.TS, ID: 99})
		}, fixture.Found{examine.UnknownEntry: 1}},
		"an entry under another time": {func(v fixture.Service, _ *examine.Examiner, _, two feed.Key) {
			v.AmendInbox(ann, []feed.Key{{TS: two.TS + 5, ID: two.ID}}, []feed.Key{two})
		}, fixture.Found{examine.MisdatedEntry: 1, examine.MissingEntry: 1}},
		"a floor that is too low": {func(v fixture.Service, _ *examine.Examiner, _, two feed.Key) {
			v.ForgeInbox(ann, v.Header(ann).Generation, feed.Build{Keys: []feed.Key{two}, Version: v.Header(ann).Version, WarmUntil: v.Header(ann).WarmUntil})
		}, both},
		"a version ahead of the database": {func(v fixture.Service, _ *examine.Examiner, _, _ feed.Key) {
			v.ForgeInbox(ann, v.Header(ann).Generation, feed.Build{Version: 1000})
		}, fixture.Found{examine.HeaderAhead: 1}},
		"a generation ahead of the database": {func(v fixture.Service, _ *examine.Examiner, _, _ feed.Key) {
			v.ForgeInbox(ann, v.Header(ann).Generation+1, feed.Build{})
		}, fixture.Found{examine.HeaderAhead: 1}},
		"an inbox that is wrongly warm": {func(v fixture.Service, _ *examine.Examiner, _, _ feed.Key) {
			v.EndLeases()
			v.Deliver(star, 3)
			in := v.Header(ann)
			v.ForgeInbox(ann, in.Generation, feed.Build{Keys: in.Keys, Version: in.Version, WarmUntil: v.Clock.Millis() + 1000})
		}, both},
		"an inbox that cannot be read": {func(_ fixture.Service, x *examine.Examiner, _, _ feed.Key) {
			direct := directOf(x)
			direct.Inboxes = broken{direct.Inboxes, errors.New("gibberish")}
		}, fixture.Found{examine.Unreadable: 1}},
		"a read that skips a post": {func(_ fixture.Service, x *examine.Examiner, one, _ feed.Key) {
			x.Reference = wrongReference{Reference: x.Reference, more: feed.Key{TS: one.TS + 10, ID: 98}}
		}, fixture.Found{examine.MissingInFeed: 1}},
		"a read that shows too much": {func(_ fixture.Service, x *examine.Examiner, _, two feed.Key) {
			x.Reference = wrongReference{Reference: x.Reference, less: two}
		}, fixture.Found{examine.ExtraInFeed: 1}},
		"a read in the wrong order": {func(_ fixture.Service, x *examine.Examiner, _, _ feed.Key) {
			direct := directOf(x)
			direct.Inboxes = reversed{direct.Inboxes}
		}, fixture.Found{examine.OutOfOrder: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			v := fixture.NewSelectivePushed(t)
			x, keys := v.Examiner(), v.Header(ann).Keys
			v.Finds(x, nil)
			c.damage(v, x, keys[1], keys[0])
			r := v.Finds(x, c.want)
			n := 0
			for kind, count := range c.want {
				if !kind.Meaning().Wrong {
					t.Errorf("%s does not count as wrong", kind)
				}
				n += count
			}
			if r.Wrong() != n || len(r.Listed(false)) != n || len(r.Listed(true)) != 0 {
				t.Errorf("the report is %+v", r)
			}
			v.Must(v.Examiner().Describe(t.Context(), r.Findings, nil))
			explained := examine.Missing
			if name == "an entry by a muted author is gone" {
				explained = examine.Reason(feed.HiddenMuted)
			}
			for _, f := range r.Findings {
				if (f.Reason == "") != (f.Post == 0) || f.Kind == examine.MissingEntry && f.Reason != explained {
					t.Errorf("the finding %+v is explained by %q", f, f.Reason)
				}
			}
		})
	}
}

// visit makes a random change.
func visit(v fixture.Service, rt *rapid.T, next *feed.PostID) {
	people := []feed.UserID{ann, bob, cem, star, moon}
	draw := func(label string) feed.UserID { return rapid.SampledFrom(people).Draw(rt, label) }
	user, target := draw("user"), draw("target")
	switch rapid.SampledFrom([]string{
		"publish", "publish", "publish", "read", "read", "follow", "unfollow", "delete", "relate",
		"work", "work", "lose", "lapse", "drop", "restart", "mark", "rebuild", "tidy", "trouble",
	}).Draw(rt, "step") {
	case "publish":
		*next++
		v.Post(user, *next)
	case "read":
		v.Home(user)
	case "follow":
		if user != target {
			v.Follow(user, target)
		}
	case "unfollow":
		v.Unfollow(user, target)
	case "delete":
		posts := fixture.Got(v.Posts.Posts(v.Context(), []feed.PostID{*next})).Must(v)
		if posts[0] != nil && posts[0].DeletedAt == 0 {
			v.Delete(posts[0].Author, *next)
		}
	case "relate":
		v.Must(v.SetRelation(v.Context(), feed.RelationRecord{Kind: feed.RelationMute, User: user, Target: target}, rapid.Bool().Draw(rt, "on")))
	case "work":
		v.WorkAll()
	case "lose":
		v.Queue.Lose()
	case "lapse":
		v.EndLeases()
	case "drop":
		v.LoseInbox(user)
	case "restart":
		restart(v, rt)
	case "mark":
		v.Flag(user, feed.FlagSelective)
	case "rebuild":
		fixture.Got(v.Rebuilder().Rebuild(v.Context(), people)).Must(v)
	case "tidy":
		v.Must(v.Maintenance.TrimInboxes(v.Context()))
	case "trouble":
		v.Flaky.FailAt = rapid.IntRange(1, 4).Draw(rt, "fails at")
		v.WorkAll()
		v.Flaky.FailAt = 0
	}
}

// restart restarts the server of the inboxes, with an old copy or empty, and runs a heartbeat.
func restart(v fixture.Service, rt *rapid.T) {
	v.Must(v.Heartbeat.Beat(v.Context()))
	if rapid.Bool().Draw(rt, "saved") {
		v.Server.Save()
	}
	v.Clock.Advance(time.Second)
	if rapid.Bool().Draw(rt, "restored") {
		v.Server.Restore()
	} else {
		v.Server.Wipe()
	}
	v.Must(v.Heartbeat.Beat(v.Context()))
}

// In a healthy system the doctor finds no error after any changes and losses, and nothing missing
// once all pushes are done.
func TestExaminer_FindsNothingInRandomHistories(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := fixture.New(t, func(p *feed.Policy) { p.Fanout = feed.FanoutHybrid })
		next := feed.PostID(0)
		all := []feed.UserID{ann, bob, cem, star, moon}
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			visit(v, rt, &next)
			if r := v.Examine(v.Examiner(), all...); r.Wrong() != 0 {
				rt.Fatalf("the examiner found %+v", r)
			}
		}
		v.Must(v.Rest(v.Context()))
		r := v.Examine(v.Examiner(), all...)
		if r.Wrong() != 0 || r.Found()[examine.PendingEntry]+r.Found()[examine.PendingInFeed] != 0 {
			rt.Fatalf("after all pushes the examiner found %+v", r)
		}
	})
}
