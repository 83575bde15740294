package feed_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

const (
	rulesNow = int64(1_700_000_000_000)
	// ahead is just more than a clock may be.
	ahead = rulesNow + 60_001
	// year is how far ahead a session may be planned, in milliseconds.
	year = int64(366 * 24 * time.Hour / time.Millisecond)
)

func ruledUser(change func(*feed.UserRecord)) feed.Record {
	u := feed.UserRecord{User: feed.User{ID: 1, Handle: "ann", Name: "Ann", CreatedAt: rulesNow}}
	change(&u)
	return feed.Record{User: &u}
}

func ruledPost(change func(*feed.Post)) feed.Record {
	p := feed.Post{ID: 1, Author: 1, Kind: feed.KindPost, Text: "a", PublishedAt: rulesNow}
	change(&p)
	return feed.Record{Post: &p}
}

func ruledLive(change func(*feed.LiveRecord)) feed.Record {
	l := feed.LiveRecord{ID: 1, Host: 1, Title: "tea", ScheduledAt: rulesNow}
	change(&l)
	return feed.Record{Live: &l}
}

func TestRecordRules_NameInvalidField(t *testing.T) {
	long := func(n int) string { return strings.Repeat("ä", n) }
	for field, records := range map[string][]feed.Record{
		"handle": {ruledUser(func(u *feed.UserRecord) { u.Handle = "a b" }), ruledUser(func(u *feed.UserRecord) { u.Handle = "" })},
		"name": {
			ruledUser(func(u *feed.UserRecord) { u.Name = " " }), ruledUser(func(u *feed.UserRecord) { u.Name = "a\u202eb" }),
			ruledUser(func(u *feed.UserRecord) { u.Name = "a\xff" }), ruledUser(func(u *feed.UserRecord) { u.Name = long(201) }),
		},
		"avatarUrl":  {ruledUser(func(u *feed.UserRecord) { u.AvatarURL = "http://a.example/" }), ruledUser(func(u *feed.UserRecord) { u.AvatarURL = "https://u@a.example/" })},
		"lastSeenAt": {ruledUser(func(u *feed.UserRecord) { u.LastSeenAt = ahead })},
		"createdAt": {
			ruledUser(func(u *feed.UserRecord) { u.CreatedAt = ahead }), ruledUser(func(u *feed.UserRecord) { u.CreatedAt = -1 }),
			{Follow: &feed.FollowRecord{Follower: 1, Followee: 2, CreatedAt: ahead}},
			{Reaction: &feed.ReactionRecord{Reaction: feed.ReactionLike, User: 1, Post: 1, CreatedAt: ahead}},
			{Relation: &feed.RelationRecord{Kind: feed.RelationMute, User: 1, Target: 2, CreatedAt: ahead}},
		},
		"deletedAt": {
			ruledUser(func(u *feed.UserRecord) { u.DeletedAt = ahead }), ruledUser(func(u *feed.UserRecord) { u.DeletedAt = u.CreatedAt - 60_001 }),
			ruledPost(func(p *feed.Post) { p.DeletedAt = ahead }), ruledPost(func(p *feed.Post) { p.DeletedAt = p.PublishedAt - 60_001 }),
		},
		"text": {
			ruledPost(func(p *feed.Post) { p.Text = "" }), ruledPost(func(p *feed.Post) { p.Text = "\n\u3164" }),
			ruledPost(func(p *feed.Post) { p.Text = "a\x00" }), ruledPost(func(p *feed.Post) { p.Text = long(100_001) }),
		},
		"media": {
			ruledPost(func(p *feed.Post) { p.Media = []string{""} }), ruledPost(func(p *feed.Post) { p.Media = []string{"javascript:x"} }),
			ruledPost(func(p *feed.Post) { p.Media = []string{`/\a.example`} }), ruledPost(func(p *feed.Post) { p.Media = make([]string, 101) }),
			ruledPost(func(p *feed.Post) { p.Media = []string{"https://a.example/" + strings.Repeat("a", 2048)} }),
		},
		"publishedAt": {ruledPost(func(p *feed.Post) { p.PublishedAt = ahead }), ruledPost(func(p *feed.Post) { p.PublishedAt = feed.MaxTime })},
		"editedAt":    {ruledPost(func(p *feed.Post) { p.EditedAt = ahead }), ruledPost(func(p *feed.Post) { p.EditedAt = p.PublishedAt - 60_001 })},
		"title":       {ruledLive(func(l *feed.LiveRecord) { l.Title = "\u200b" }), ruledLive(func(l *feed.LiveRecord) { l.Title = long(1001) })},
		"scheduledAt": {ruledLive(func(l *feed.LiveRecord) { l.ScheduledAt = rulesNow + year + 1 })},
		"startedAt":   {ruledLive(func(l *feed.LiveRecord) { l.StartedAt = ahead })},
		"endedAt": {
			ruledLive(func(l *feed.LiveRecord) { l.StartedAt, l.EndedAt = rulesNow, ahead }), ruledLive(func(l *feed.LiveRecord) { l.EndedAt = rulesNow }),
			ruledLive(func(l *feed.LiveRecord) { l.StartedAt, l.EndedAt = rulesNow, rulesNow-1 }),
		},
		"cancelledAt": {ruledLive(func(l *feed.LiveRecord) { l.CancelledAt = ahead }), ruledLive(func(l *feed.LiveRecord) { l.StartedAt, l.CancelledAt = rulesNow, rulesNow })},
		"replayUrl":   {ruledLive(func(l *feed.LiveRecord) { l.ReplayURL = "r.mp4" }), ruledLive(func(l *feed.LiveRecord) { l.StartedAt, l.EndedAt, l.ReplayURL = 1, 1, "http://a.example/" })},
	} {
		fit, bad := feed.RecordRules().Sort(records, rulesNow)
		if len(fit) != 0 || len(bad) != len(records) {
			t.Errorf("%s: %d of %d records are good", field, len(fit), len(records))
		}
		for _, b := range bad {
			if !strings.HasPrefix(b.Reason, fmt.Sprintf("the field %q: ", field)) {
				t.Errorf("the reason for %s is %q", field, b.Reason)
			}
		}
	}
}

func TestRecordRules_KeepPastData(t *testing.T) {
	records := []feed.Record{
		ruledUser(func(u *feed.UserRecord) { u.CreatedAt, u.LastSeenAt = 0, 1 }),
		ruledUser(func(u *feed.UserRecord) { u.LastSeenAt = u.CreatedAt - 1 }),
		ruledUser(func(u *feed.UserRecord) { u.Handle, u.Name, u.DeletedAt = "", "", rulesNow }),
		ruledPost(func(p *feed.Post) { p.PublishedAt, p.EditedAt = 0, rulesNow }),
		ruledPost(func(p *feed.Post) {
			p.Text, p.Media = strings.Repeat("ä", 100_000), []string{"a.png", "/a.png", "https://a.example/"}
		}),
		ruledPost(func(p *feed.Post) { p.Text, p.Media = "", make([]string, 0); p.DeletedAt = rulesNow }),
		ruledLive(func(l *feed.LiveRecord) { l.ScheduledAt = 1 }),
		ruledLive(func(l *feed.LiveRecord) { l.StartedAt, l.EndedAt, l.ReplayURL = 1, 2, "r.mp4" }),
		// Clocks differ.
		ruledUser(func(u *feed.UserRecord) { u.LastSeenAt = ahead - 1 }),
		ruledPost(func(p *feed.Post) { p.PublishedAt = ahead - 1 }),
		ruledPost(func(p *feed.Post) { p.EditedAt = p.PublishedAt - 60_000 }),
		ruledLive(func(l *feed.LiveRecord) { l.ScheduledAt = rulesNow + year }),
	}
	if _, bad := feed.RecordRules().Sort(records, rulesNow); len(bad) > 0 {
		t.Error(bad)
	}
}

func TestURLReference_StaysOnServer(t *testing.T) {
	for s, want := range map[string]bool{
		"": true, "a.png": true, "../a b.png": true, "/a.png": true, "?a=1": true, "https://x.example/a.png?x=<1>": true,
		"//x.example": false, "///x.example": false, `/\x.example`: false, `\/x.example`: false, `\\x.example`: false, `a\b`: false,
		" //x.example": false, "\t//x.example": false, "/\t/x.example": false, "/a.png ": false, "\u00a0/a.png": false,
		"https:x.example": false, "https:/x.example": false, `https:\\x.example`: false, `https://x.example\@y.example`: false,
		"http://x.example/": false, "javascript:alert(1)": false, "/a\x00": false, "/a\xff": false,
	} {
		fixture.Is(t, fmt.Sprintf("IsURLReference(%q)", s), feed.IsURLReference(s), want)
	}
}

func TestPolicy_LowersFlagsWithoutReason(t *testing.T) {
	const day = 24 * int64(time.Hour/time.Millisecond)
	const now = 100 * day
	flagged := func(f feed.CoverageFlag, why feed.FlagReason, followers, lowSince int64) feed.FlaggedAuthor {
		return feed.FlaggedAuthor{Author: 1, Flag: f, Reason: why, Followers: followers, LowSince: lowSince}
	}
	for name, c := range map[string]struct {
		mode   feed.FanoutMode
		author feed.FlaggedAuthor
		want   feed.CoverageFlag
	}{
		"low for a week":          {feed.FanoutHybrid, flagged(feed.FlagSelective, feed.FlagThreshold, 3999, now-7*day), feed.FlagNone},
		"low for less":            {feed.FanoutHybrid, flagged(feed.FlagSelective, feed.FlagThreshold, 3999, now-7*day+1), feed.FlagSelective},
		"never low":               {feed.FanoutHybrid, flagged(feed.FlagSelective, feed.FlagThreshold, 4000, 0), feed.FlagSelective},
		"a backlog, low":          {feed.FanoutHybrid, flagged(feed.FlagUnpushed, feed.FlagBacklog, 9, now-8*day), feed.FlagNone},
		"a backlog, many":         {feed.FanoutPush, flagged(feed.FlagUnpushed, feed.FlagBacklog, 9000, 0), feed.FlagUnpushed},
		"unknown, low":            {feed.FanoutHybrid, flagged(feed.FlagUnpushed, feed.FlagUnknown, 9, now-8*day), feed.FlagNone},
		"pull mode is over":       {feed.FanoutHybrid, flagged(feed.FlagUnpushed, feed.FlagMode, 9, 0), feed.FlagNone},
		"pull mode is over, many": {feed.FanoutHybrid, flagged(feed.FlagUnpushed, feed.FlagMode, 5001, 0), feed.FlagSelective},
		"pull mode":               {feed.FanoutPull, flagged(feed.FlagUnpushed, feed.FlagMode, 9, now-8*day), feed.FlagUnpushed},
		"hybrid mode is over":     {feed.FanoutPush, flagged(feed.FlagSelective, feed.FlagThreshold, 9000, 0), feed.FlagNone},
		"too many for a job":      {feed.FanoutPush, flagged(feed.FlagUnpushed, feed.FlagMode, feed.LowerMax, 0), feed.FlagUnpushed},
	} {
		p := feed.DefaultPolicy()
		p.Fanout = c.mode
		to, lowers := p.LowersTo(c.author, now)
		if lowers != (c.want != c.author.Flag) || lowers && to != c.want {
			t.Errorf("%s: the flag falls to %v (%t), want %v", name, to, lowers, c.want)
		}
	}
}

// The longest word is looked up in the index, so the order of a query's words does not matter.
// Names and queries are cut to what is stored.
func TestSearchWords_AreSplitFoldedAndLimited(t *testing.T) {
	fixture.Same(t, "of a handle and a name", feed.SearchWords("Ann_Smith.99", "  Ann O'Neill-ÅBERG  "),
		"ann", "smith", "99", "o", "neill", "åberg")
	fixture.Same(t, "of signs", feed.SearchWords("___", "🌊"), "___", "🌊")
	fixture.Same(t, "of nothing", feed.SearchWords("", "  "))
	fixture.Same(t, "of a query", feed.QueryWords("a LONG query long"), "query", "long", "a")
	fixture.Same(t, "of a blank query", feed.QueryWords(" \n"))
	long := feed.SearchWords(strings.Repeat("é", 65), "a b c d e f g h i j k l m n o p q r s t")
	fixture.Same(t, "how many words a user has", []int{len(long)}, 16)
	fixture.Same(t, "the longest word", long[:1], strings.Repeat("é", 64))
}

func TestWordPlace_GroupsWordsByPrefix(t *testing.T) {
	letter := rapid.StringOf(rapid.RuneFrom([]rune("abyzé名🌊")))
	rapid.Check(t, func(t *rapid.T) {
		prefix := rapid.StringOfN(rapid.RuneFrom([]rune("abyzé名🌊")), 1, 4, -1).Draw(t, "prefix")
		word := prefix + letter.Draw(t, "rest")
		place := feed.WordPlace(word)
		if place > feed.WordPlace(prefix) || place < 1 || place >= 1<<56 {
			t.Fatalf("%q has place %d, and %q has %d", word, place, prefix, feed.WordPlace(prefix))
		}
		r := feed.WithinPrefix(feed.Range{Above: feed.Bottom, Below: feed.Top}, prefix)
		for _, id := range []int64{1, math.MaxInt64} {
			if !r.Holds(feed.Key{TS: place, ID: id}) {
				t.Fatalf("%q is not where words stand that begin with %q", word, prefix)
			}
		}
		// A word that is elsewhere in the alphabet must have a place elsewhere.
		other := letter.Draw(t, "other")
		n := min(len(prefix), 7)
		if inside := r.Holds(feed.Key{TS: feed.WordPlace(other), ID: 1}); inside != (len(other) >= n && other[:n] == prefix[:n]) {
			t.Fatalf("%q stands where words begin with %q: %t", other, prefix, inside)
		}
		if a, b := feed.WordPlace(other), place; a != b && (a > b) != (other < word) {
			t.Fatalf("%q and %q are in the wrong order", other, word)
		}
	})
}

func TestWithinPrefix_StaysWithinRange(t *testing.T) {
	r := feed.Range{Above: feed.Key{TS: feed.WordPlace("tidez"), ID: 5}, Below: feed.Key{TS: feed.WordPlace("tide"), ID: 7}, Limit: 3, Ascending: true}
	if got := feed.WithinPrefix(r, "tid"); got.Above != r.Above || got.Below != r.Below || got.Limit != 3 || !got.Ascending {
		t.Errorf("%+v becomes %+v", r, got)
	}
	if got := feed.WithinPrefix(r, "zebra"); !got.Empty() {
		t.Errorf("%+v is not empty", got)
	}
}
