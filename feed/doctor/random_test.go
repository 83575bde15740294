package doctor_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/doctor"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

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
func TestDoctor_FindsNothingInRandomHistories(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := fixture.New(t, func(p *feed.Policy) { p.Fanout = feed.FanoutHybrid })
		next := feed.PostID(0)
		all := []feed.UserID{ann, bob, cem, star, moon}
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			visit(v, rt, &next)
			if r := v.Examine(v.Doctor(), all...); r.WrongCount() != 0 {
				rt.Fatalf("the doctor found %+v", r)
			}
		}
		v.Must(v.Rest(v.Context()))
		r := v.Examine(v.Doctor(), all...)
		if r.WrongCount() != 0 || r.Found[doctor.PendingEntry]+r.Found[doctor.PendingInFeed] != 0 {
			rt.Fatalf("after all pushes the doctor found %+v", r)
		}
	})
}
