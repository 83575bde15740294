package feed_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// visit lets somebody do something at random.
func (v town) visit(rt *rapid.T, next *feed.ContentID) {
	people := []feed.UserID{ann, bob, cem, star, moon}
	somebody := func() feed.UserID { return rapid.SampledFrom(people).Draw(rt, "somebody") }
	who, whom := somebody(), somebody()
	switch rapid.SampledFrom([]string{
		"publish", "publish", "publish", "read", "read", "follow", "unfollow", "delete", "relate",
		"work", "work", "lose", "lapse", "drop", "restart", "mark", "rebuild", "tidy", "trouble",
	}).Draw(rt, "step") {
	case "publish":
		*next++
		v.post(who, *next)
	case "read":
		v.home(who)
	case "follow":
		if who != whom {
			v.follow(who, whom)
		}
	case "unfollow":
		v.unfollow(who, whom)
	case "delete":
		posts, err := v.Posts.Posts(v.Context(), []feed.ContentID{*next})
		v.must(err)
		if posts[0] != nil && posts[0].DeletedAt == 0 {
			v.delete(posts[0].Author, *next)
		}
	case "relate":
		v.must(v.SetRelation(v.Context(), feed.RelationRecord{Kind: feed.RelationMute, User: who, Target: whom}, rapid.Bool().Draw(rt, "on")))
	case "work":
		v.work()
	case "lose":
		v.Queue.Lose()
	case "lapse":
		v.lapse()
	case "drop":
		v.must(v.Backend.Inboxes.Remove(v.Context(), who))
	case "restart":
		v.restart(rt)
	case "mark":
		v.must(v.Audience.Mark(v.Context(), who, feed.MarkSelective))
	case "rebuild":
		_, err := v.rebuilder().Rebuild(v.Context(), people)
		v.must(err)
	case "tidy":
		v.must(v.Keeper.TidyInboxes(v.Context()))
	case "trouble":
		v.Flaky.FailAt = rapid.IntRange(1, 4).Draw(rt, "fails at")
		v.work()
		v.Flaky.FailAt = 0
	}
}

// restart starts the server of the inboxes anew, with an old copy or nothing, and has a
// heart find out.
func (v town) restart(rt *rapid.T) {
	v.must(v.Heart.Beat(v.Context()))
	if rapid.Bool().Draw(rt, "saved") {
		v.Server.Save()
	}
	v.Clock.Advance(time.Second)
	if rapid.Bool().Draw(rt, "restored") {
		v.Server.Restore()
	} else {
		v.Server.Wipe()
	}
	v.must(v.Heart.Beat(v.Context()))
}

// Whatever people do and whatever is lost, in a system that is well a doctor finds
// nothing that is wrong; and nothing that is missing, once all is at rest.
func TestADoctorFindsNothingWrongWhateverHappens(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := newTown(t, func(p *feed.Policy) { p.Fanout = feed.FanoutHybrid })
		next := feed.ContentID(0)
		everybody := []feed.UserID{ann, bob, cem, star, moon}
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			v.visit(rt, &next)
			if r := v.examine(v.doctor(), everybody...); r.WrongCount() != 0 {
				rt.Fatalf("the doctor found %+v", r)
			}
		}
		v.must(v.Rest(v.Context()))
		r := v.examine(v.doctor(), everybody...)
		if r.WrongCount() != 0 || r.Found[feed.FindingPendingEntry]+r.Found[feed.FindingPendingInFeed] != 0 {
			rt.Fatalf("at rest the doctor found %+v", r)
		}
	})
}
