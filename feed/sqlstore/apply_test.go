package sqlstore_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

func followOf(follower, followee feed.UserID) feed.Record {
	return feed.Record{Follow: &feed.FollowRecord{Follower: follower, Followee: followee, CreatedAt: noon}}
}

func likeOf(user feed.UserID, post feed.PostID) feed.Record {
	return feed.Record{Reaction: &feed.ReactionRecord{Reaction: feed.ReactionLike, User: user, Post: post, CreatedAt: noon}}
}

func muteOf(user, target feed.UserID) feed.Record {
	return feed.Record{Relation: &feed.RelationRecord{Kind: feed.RelationMute, User: user, Target: target, CreatedAt: noon}}
}

func userNamed(id feed.UserID, handle string) feed.Record {
	u := townUser(id)
	u.Handle = handle
	return feed.Record{User: u}
}

// changed is a post after a change.
func changed(p *feed.Post, change func(p *feed.Post)) feed.Record {
	change(p)
	return feed.Record{Post: p}
}

func mustImport(t *testing.T, s *sqlstore.Store, batch ...feed.Record) feed.Applied {
	t.Helper()
	result, err := s.Apply(t.Context(), feed.Batch{Records: batch})
	must(t, err)
	return result
}

func TestImport_ExplainsRefusedRecords(t *testing.T) {
	badTitle := liveOf(2, ann, 0, 0, 0)
	badTitle.Live.Title = "a\x00b"
	refusals := []struct {
		record feed.Record
		reason string
	}{
		{userNamed(11, "U9"), `the handle "U9" belongs to user 9`},
		{followOf(ann, 42), "no user 42"},
		{followOf(ann, ann), "user 9 cannot follow themselves"},
		{muteOf(ann, ann), "user 9 cannot mute themselves"},
		{likeOf(ann, 7), "no post 7"},
		{feed.Record{Post: textBy(bob, 1)}, "post 1 is by user 9, not 10"},
		{changed(textBy(ann, 5), func(p *feed.Post) { p.Kind = "VIDEO" }), `"VIDEO" is not a kind`},
		{changed(textBy(ann, 5), func(p *feed.Post) { p.Kind = feed.KindComment }), "a COMMENT needs replyTo"},
		{changed(textBy(ann, 5), func(p *feed.Post) { p.Kind = feed.KindRepost }), "a REPOST needs repostOf"},
		{changed(textBy(ann, 5), func(p *feed.Post) { p.ReplyTo = 1 }), "a POST has no replyTo"},
		{changed(textBy(ann, 5), func(p *feed.Post) { p.RepostOf = 1 }), "a POST has no repostOf"},
		{feed.Record{Reaction: &feed.ReactionRecord{Reaction: "shrug", User: ann, Post: 1}}, `"shrug" is not a reaction`},
		{feed.Record{Relation: &feed.RelationRecord{Kind: "envy", User: ann, Target: bob}}, `"envy" is not a relation`},
		{feed.Record{}, "an empty record"},
		{liveOf(1, bob, 0, 0, 0), "session 1 is by user 9"},
		{badTitle, `the field "title": a title must not contain a NUL character`},
	}
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		mustPublish(t, s, textBy(ann, 1))
		mustSchedule(t, sqlstore.NewLive(s), upcoming(1))
		for _, want := range refusals {
			want.record.Line = 12
			got := mustImport(t, s, want.record)
			if diff := cmp.Diff(feed.Applied{Bad: []feed.BadRecord{{Line: 12, Reason: want.reason}}}, got); diff != "" {
				t.Errorf("the result (-want +got):\n%s", diff)
			}
		}
	})
}

func TestImport_BothDatabasesRefuseTheSame(t *testing.T) {
	bad := []string{"a\x00b", "a\xffb"}
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		for _, text := range bad {
			batch := []feed.Record{
				userNamed(11, text),
				changed(textBy(ann, 1), func(p *feed.Post) { p.Text = text }),
				changed(textBy(ann, 2), func(p *feed.Post) { p.Media = []string{"ok", text} }),
				changed(textBy(ann, 3), func(p *feed.Post) { p.Kind = feed.Kind(text) }),
				{Reaction: &feed.ReactionRecord{Reaction: feed.Reaction(text), User: ann, Post: 1}},
				{Relation: &feed.RelationRecord{Kind: feed.RelationKind(text), User: ann, Target: bob}},
			}
			if got := mustImport(t, s, batch...); len(got.Bad) != len(batch) {
				t.Errorf("got %+v, want all refused", got)
			}
		}
		if got := mustImport(t, s, userNamed(11, "eleven"), feed.Record{Post: textBy(ann, 1)}); got.Stored != 2 {
			t.Errorf("got %+v, want both stored", got)
		}
	})
}

func TestPurge_RemovesUndoneEdges(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		mustPublish(t, s, textBy(ann, 1))
		for _, r := range []feed.Record{likeOf(ann, 1), likeOf(bob, 1), muteOf(ann, bob), muteOf(bob, ann)} {
			mustImport(t, s, r)
			if r.Reaction != nil {
				mustBe(t, "", s.Unreact(t.Context(), r.Reaction.Reaction, r.Reaction.User, r.Reaction.Post))
			} else {
				mustBe(t, "", s.Unrelate(t.Context(), r.Relation.Kind, r.Relation.User, r.Relation.Target))
			}
		}
		mustHave(t, s, "absent_edges", 4)
		mustBe(t, "", s.DeleteAccount(t.Context(), bob, noon))
		for more := true; more; {
			var err error
			more, err = s.PurgeDeleted(t.Context(), 1)
			mustBe(t, "", err)
		}
		mustHave(t, s, "absent_edges", 1)
	})
}

// On SQLite nothing can come between, because an import holds the only writer.
func TestImport_DetectsConcurrentChanges(t *testing.T) {
	s, ctx := withUsers(t, postgresBackend(t)), t.Context()
	mustPublish(t, s, textBy(ann, 1))
	edited, follow, like, mute := textBy(ann, 1), followOf(ann, bob), likeOf(bob, 1), muteOf(ann, bob)
	edited.Text = "other"
	earlierFollow, earlierLike, earlierMute := followOf(ann, bob), likeOf(bob, 1), muteOf(ann, bob)
	earlierFollow.Follow.CreatedAt, earlierLike.Reaction.CreatedAt, earlierMute.Relation.CreatedAt = noon-1, noon-1, noon-1
	ensure := func(r feed.Record) error { _, err := s.EnsureUser(ctx, &r.User.User); return err }
	makeFollow := func() error { return s.Follow(ctx, ann, bob, noon, 10, feed.FollowChoice{}) }
	makeLike := func() error { return s.React(ctx, feed.ReactionLike, bob, 1, noon) }
	makeMute := func() error { return s.Relate(ctx, *mute.Relation) }
	for _, meanwhile := range []struct {
		what   string
		update bool
		record feed.Record
		change func() error
	}{
		{"a user stored", false, userNamed(11, "eleven"), func() error { return ensure(userNamed(11, "eleven")) }},
		{"a handle stored", false, userNamed(12, "twelve"), func() error { return ensure(userNamed(13, "twelve")) }},
		{"a follow stored", false, follow, makeFollow},
		{"a post stored", false, feed.Record{Post: textBy(ann, 2)}, func() error {
			_, err := s.Publish(ctx, textBy(ann, 2), feed.Idempotency{}, eventAt(noon))
			return err
		}},
		{"a like stored", false, like, makeLike},
		{"a mute stored", false, mute, makeMute},
		{"a follow undone", true, earlierFollow, func() error { return s.Unfollow(ctx, ann, bob) }},
		{"a follow made again", true, earlierFollow, makeFollow},
		{"a like undone", true, earlierLike, func() error { return s.Unreact(ctx, feed.ReactionLike, bob, 1) }},
		{"a like made again", true, earlierLike, makeLike},
		{"a mute undone", true, earlierMute, func() error { return s.Unrelate(ctx, feed.RelationMute, ann, bob) }},
		{"a mute made again", true, earlierMute, makeMute},
		{"a handle taken", true, userNamed(ann, "other"), func() error {
			_, err := s.UpdateProfile(ctx, bob, feed.ProfileChange{Handle: new("other")})
			return err
		}},
		{"a post deleted", true, feed.Record{Post: edited}, func() error { return s.Delete(ctx, 1, noon+1) }},
	} {
		overtaken, err := s.ImportOnce(ctx, []feed.Record{meanwhile.record}, meanwhile.update, meanwhile.change)
		if err != nil || !overtaken {
			t.Errorf("%s meanwhile: overtaken is %v (error %v)", meanwhile.what, overtaken, err)
		}
	}
}

// crowd is a batch in which all users follow each other, publish, and like and repost each other's
// posts.
func crowd(n int) []feed.Record {
	var batch []feed.Record
	for i := 1; i <= n; i++ {
		batch = append(batch, feed.Record{User: townUser(feed.UserID(i))}, feed.Record{Post: textBy(feed.UserID(i), feed.PostID(i))})
	}
	for i := 1; i <= n; i++ {
		for j := 1; j <= n; j++ {
			if i != j {
				batch = append(batch, followOf(feed.UserID(i), feed.UserID(j)))
			}
			p := repostBy(feed.UserID(i), feed.PostID(1000*i+j))
			p.RepostOf, p.AudienceAuthor = feed.PostID(j), feed.UserID(j)
			batch = append(batch, likeOf(feed.UserID(i), feed.PostID(j)), feed.Record{Post: p})
		}
	}
	return batch
}

func TestImport_ConcurrentChangesCountOnce(t *testing.T) {
	const n = 6
	batch := crowd(n)
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		mustImport(t, s, batch[:2*n]...)
		var all sync.WaitGroup
		atOnce := func(what string, change func(r feed.Record) error) {
			all.Go(func() {
				for i, r := range batch[2*n:] {
					if err := change(r); err != nil {
						t.Errorf("%s record %d: %v", what, i, err)
					}
				}
			})
		}
		imports := func(r feed.Record) error {
			_, err := s.Apply(t.Context(), feed.Batch{Records: []feed.Record{r}})
			return err
		}
		atOnce("importing", imports)
		atOnce("importing", imports)
		atOnce("doing", func(r feed.Record) error { return do(t, s, r) })
		all.Wait()
		if got := mustImport(t, s, batch...); got.Unchanged != len(batch) {
			t.Errorf("got %+v, want all unchanged", got)
		}
		crowdIsCounted(t, s, n)
	})
}

// do makes the change of a record. A post that has been imported already is fine.
func do(t *testing.T, s *sqlstore.Store, r feed.Record) error {
	switch {
	case r.Follow != nil:
		return s.Follow(t.Context(), r.Follow.Follower, r.Follow.Followee, noon, 100, feed.FollowChoice{})
	case r.Reaction != nil:
		return s.React(t.Context(), r.Reaction.Reaction, r.Reaction.User, r.Reaction.Post, noon)
	}
	_, err := s.Publish(t.Context(), r.Post, feed.Idempotency{}, eventAt(noon))
	if errors.Is(err, feed.ErrIDTaken) {
		return nil
	}
	return err
}

func crowdIsCounted(t *testing.T, s *sqlstore.Store, n int64) {
	t.Helper()
	for i := int64(1); i <= n; i++ {
		users, err := s.UserCounters(t.Context(), []feed.UserID{feed.UserID(i)})
		if diff := cmp.Diff([]feed.UserCounters{{Followers: n - 1, Following: n - 1, Posts: n + 1}}, users); diff != "" || err != nil {
			t.Errorf("the counters of user %d (error %v; -want +got):\n%s", i, err, diff)
		}
		posts, err := s.PostCounters(t.Context(), []feed.PostID{feed.PostID(i)})
		if diff := cmp.Diff([]feed.PostCounters{{Likes: n, Reposts: n}}, posts); diff != "" || err != nil {
			t.Errorf("the counters of post %d (error %v; -want +got):\n%s", i, err, diff)
		}
	}
}

// long is how many characters longTexts have.
const long = 4000

// longTexts are records of so many users, and of a text of each: some eight kilobytes.
func longTexts(users int) []feed.Record {
	var batch []feed.Record
	for i := 1; i <= users; i++ {
		p := textBy(feed.UserID(i), feed.PostID(i))
		p.Text = strings.Repeat("é", long)
		batch = append(batch, userNamed(feed.UserID(i), fmt.Sprintf("h%d", i)), feed.Record{Post: p})
	}
	return batch
}

func TestImport_TakesALargeBatch(t *testing.T) {
	const users = 3000
	batch := longTexts(users)
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		if got := mustImport(t, s, batch...); got.Stored != len(batch) {
			t.Errorf("%d records were stored, want %d", got.Stored, len(batch))
		}
		posts, err := s.Posts(t.Context(), []feed.PostID{users})
		if err != nil || len([]rune(posts[0].Text)) != long {
			t.Errorf("the last text was not imported (error %v)", err)
		}
	})
}
