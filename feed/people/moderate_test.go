package people_test

import (
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/people"
)

type evictions struct {
	posts []feed.PostID
	users []feed.UserID
}

func (e *evictions) Evict(posts []feed.PostID, users []feed.UserID) {
	e.posts, e.users = append(e.posts, posts...), append(e.users, users...)
}

func moderator(v fixture.Service) (*people.Moderator, *evictions) {
	evicted := &evictions{}
	return &people.Moderator{Moderation: v.Moderation, Posts: v.Posts, Evictor: evicted, Clock: v.Clock.Now, Policy: v.Policy}, evicted
}

func TestModerator_HidesLogsAndEvicts(t *testing.T) {
	v := fixture.New(t)
	v.Post(star, 1)
	m, evicted := moderator(v)
	now := feed.Millis(v.Clock.Now())
	post, user := feed.Subject{Post: 1}, feed.Subject{User: star}
	for range 2 {
		v.Must(m.Impose(t.Context(), feed.Sanction{Subject: post, Reason: "spam", By: "7"}))
		v.Must(m.Impose(t.Context(), feed.Sanction{Subject: user, Reason: "spam", By: "7", Until: now + 1}))
	}
	fixture.Is(t, "whether star is suspended", fixture.Got(m.Suspended(t.Context(), star)).Must(t), true)
	fixture.Is(t, "whether bob is suspended", fixture.Got(m.Suspended(t.Context(), bob)).Must(t), false)
	fixture.Is(t, "why the post is hidden", fixture.Got(m.StoredPost(t.Context(), 1)).Must(t).TakenDown, feed.HiddenForModerator)
	for range 2 {
		v.Must(m.Lift(t.Context(), post, "8"))
		v.Must(m.Lift(t.Context(), user, "8"))
	}
	fixture.Is(t, "why the post is hidden afterwards", fixture.Got(m.StoredPost(t.Context(), 1)).Must(t).TakenDown, 0)
	fixture.Is(t, "whether star is suspended afterwards", fixture.Got(m.Suspended(t.Context(), star)).Must(t), false)
	fixture.Same(t, "the posts evicted", slices.Compact(evicted.posts), 1)
	fixture.Same(t, "the users evicted", slices.Compact(evicted.users), star)

	page := fixture.Got(m.Log(t.Context(), feed.Subject{}, feed.PageQuery{First: new(1)})).Must(t)
	s := page.Items[0]
	fixture.Same(t, "the newest entry", []string{s.Reason, s.By, s.LiftedBy}, "spam", "7", "8")
	fixture.Is(t, "its times", [3]int64{s.At, s.Until, s.LiftedAt}, [3]int64{now, now + 1, now})
	fixture.Is(t, "its subject", s.Subject, user)
	rest := fixture.Got(m.Log(t.Context(), feed.Subject{}, feed.PageQuery{After: feed.Cursor{Kind: feed.FeedModeration, Key: s.Key()}.String()})).Must(t)
	fixture.Same(t, "whether more follow", []bool{page.HasNext, rest.HasNext}, true, false)
	fixture.Is(t, "the subject of the next entry", rest.Items[0].Subject, post)
	_, err := m.Log(t.Context(), feed.Subject{}, feed.PageQuery{After: feed.Cursor{Kind: feed.FeedMuted, Key: s.Key()}.String()})
	v.Refused(err, feed.CodeBadCursor)
}

func TestModerator_RefusesBadSanctions(t *testing.T) {
	v := fixture.New(t)
	m, _ := moderator(v)
	now := feed.Millis(v.Clock.Now())
	for field, s := range map[string]feed.Sanction{
		"reason": {Subject: feed.Subject{User: star}},
		"until":  {Subject: feed.Subject{User: star}, Reason: "spam", Until: now},
	} {
		v.Refused(m.Impose(t.Context(), s), feed.CodeInvalid, field)
	}
	v.Refused(m.Impose(t.Context(), feed.Sanction{Subject: feed.Subject{User: 99}, Reason: "spam"}), feed.CodeNotFound, "userId")
	v.Refused(m.Impose(t.Context(), feed.Sanction{Subject: feed.Subject{Post: 99}, Reason: "spam"}), feed.CodeNotFound, "postId")
	v.Refused(m.Lift(t.Context(), feed.Subject{Post: 99}, "7"), feed.CodeNotFound, "postId")
}

func TestModerator_ReadsDeletedWithoutContent(t *testing.T) {
	v := fixture.New(t)
	v.Post(star, 1, 2)
	v.Must(v.Publisher.Delete(t.Context(), star, 1))
	v.SetAbsent(bob, true)
	m, _ := moderator(v)
	deleted, kept := fixture.Got(m.StoredPost(t.Context(), 1)).Must(t), fixture.Got(m.StoredPost(t.Context(), 2)).Must(t)
	fixture.Same(t, "the texts", []string{deleted.Text, kept.Text}, "", "text")
	fixture.Is(t, "the author of the deleted post", deleted.Author, star)
	fixture.Is(t, "the absent user", fixture.Got(m.StoredUser(t.Context(), bob)).Must(t).ID, bob)
	if p := fixture.Got(m.StoredPost(t.Context(), 99)).Must(t); p != nil {
		t.Errorf("post 99 is %+v", p)
	}
}

// A suspension ends with the next sweep after its end, however many there are.
func TestModerator_LiftsSuspensionsInTime(t *testing.T) {
	v := fixture.New(t)
	m, _ := moderator(v)
	const first, users = 1000, 250
	for i := range feed.UserID(users) {
		fixture.Got(v.Users.EnsureUser(t.Context(), &feed.User{ID: first + i, Handle: "u" + (first + i).String(), Name: "U"})).Must(t)
		v.Must(m.Impose(t.Context(), feed.Sanction{
			Subject: feed.Subject{User: first + i}, Reason: "spam", By: "mod", Until: v.Clock.Millis() + 1000*int64(i+1),
		}))
	}
	for _, step := range []struct {
		after time.Duration
		want  int
	}{{0, users}, {10 * time.Second, users - 10}, {time.Hour, 0}} {
		v.Clock.Advance(step.after)
		v.Must(m.LiftDue(t.Context()))
		got := 0
		for i := range feed.UserID(users) {
			if fixture.Got(m.Suspended(t.Context(), first+i)).Must(t) {
				got++
			}
		}
		if got != step.want {
			t.Errorf("%d users are suspended after %s, want %d", got, step.after, step.want)
		}
	}
}
