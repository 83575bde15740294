package feedtest

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/publish"
)

// Scenarios runs every script, a file *.feed in dir, in the given fan-out modes. Without modes it
// uses all. open opens a new, empty backend for each script and policy, and closes it through
// t.Cleanup.
//
// A script checks one promise. It has one command per line, and comments from # to the end of the
// line. The first mention of a user creates them. The names of posts exist only in the script. No
// task runs by itself.
//
// Changes:
//
//	follow ann star, unfollow ann star
//	mute ann star, hide …, block …          unmute, unhide, unblock end it
//	post star p1 [at TIME] [id=42]          published now, or back-dated to TIME
//	comment ann c1 on p1 [at TIME] [id=43]
//	repost ann r1 of p1 [at TIME] [id=44]
//	import star p1 [at TIME] [id=45]        a post imported, without an event
//	edit star p1 "text", delete star p1
//	like ann p1, favorite …                 unlike, unfavorite take it back
//	absent star, present star               the system that owns users takes one back, and returns them
//
//	schedule star s1 at TIME [id=46], reschedule star s1 at TIME
//	start star s1, end star s1, cancel star s1     each a second after the last change
//
// TIME is hours:minutes, or hours:minutes:seconds with up to three decimals. The script begins at
// 12:00 of that day. The clock advances by a second before every publish, so that later posts have
// later times.
//
// Work:
//
//	work [doubled] [shuffled=7]   run the queued tasks and the tasks they enqueue
//	work first=1                  run only so many tasks
//	lose                          forget the queued tasks
//	sweep after 1m                advance the clock, then queue what is due
//	down queue, down inboxes      make every call fail from now on; also down sets
//	up queue, up inboxes
//	forget inbox ann              lose an inbox; also forget replays ann
//	maintain                      visit every inbox once, as maintenance does
//	read ann                      read a page, as opening the app does
//
// Expectations:
//
//	expect home ann [first=2] [after=p3] [last=2] [before=p3] [kinds=POST,REPOST] -> p1 p2 more
//	expect outbox ann star …, expect comments ann p1 …   as ann sees them
//	scroll home ann by 2 -> p1 p2 p3            the whole feed, in pages of 2
//	expect live ann [first=2] [after=s1] -> s1:live s2:upcoming>live s3:replay more
//	expect sessions ann star …, scroll live ann by 2 …   s2 is live now, and was upcoming
//	expect followers ann star …, expect following ann star …
//	expect new ann since p3 [kinds=POST] -> 2   how many entries are above p3
//	expect source ann -> inbox                  or reference, both: the source of ann's last page
//	expect inbox ann -> warm p2 p1              the stored inbox; or cold and its entries, or absent
//	expect counters p1 likes=1 comments=0 reposts=0 favorites=0
//	expect user star followers=2 following=0 posts=3
//	expect text ann p1 -> "text", expect hidden ann p1
//	expect error NOT_FOUND like ann p1          a command that is refused
//
// A page is listed newest first in both directions of paging. The word more or end after it says
// whether older entries follow. Before it, the word says whether newer entries precede. A cursor is
// the viewer's last cursor of the post in that feed, or else the post's own. A scroll runs forward
// and then backward, and all pages but the last must be full.
//
// The prefix "in push" or "in push,hybrid" limits a command to those modes.
func Scenarios(t *testing.T, dir fs.FS, open func(t *testing.T, p feed.Policy) Backend, in ...feed.FanoutMode) {
	ScenariosThrough(t, dir, open, func(_ *testing.T, s *Service) Reader { return newOwnReader(s) }, in...)
}

// ScenariosThrough runs scripts as [Scenarios] does. They read each service through a layer above it.
func ScenariosThrough(
	t *testing.T, dir fs.FS, open func(t *testing.T, p feed.Policy) Backend, through func(t *testing.T, s *Service) Reader, in ...feed.FanoutMode,
) {
	if len(in) == 0 {
		in = modes()
	}
	files, err := fs.Glob(dir, "*.feed")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios found: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(file, ".feed"), func(t *testing.T) {
			text := must(fs.ReadFile(dir, file))
			for _, mode := range in {
				t.Run(string(mode), func(t *testing.T) {
					p := SmallPolicy(mode)
					s := NewService(open(t, p), p)
					check(play(t.Context(), s, through(t, s), file, string(text)))
				})
			}
		})
	}
}

// modes returns all fan-out modes.
func modes() []feed.FanoutMode {
	return []feed.FanoutMode{feed.FanoutPush, feed.FanoutPull, feed.FanoutHybrid}
}

// play runs a script up to the first failing command. The error has its line.
func play(ctx context.Context, s *Service, r Reader, file, text string) error {
	c := newScript(ctx, s, r)
	for i, raw := range strings.Split(text, "\n") {
		l, err := parseLine(raw)
		if err == nil && !l.empty() {
			err = c.command(l)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %s: %w", file, i+1, strings.TrimSpace(raw), err)
		}
	}
	return nil
}

// script is a running script.
type script struct {
	ctx context.Context
	*Service
	reader Reader
	users  map[string]feed.UserID
	posts  map[string]feed.PostID
	// names has the names of posts and users by id.
	names     map[feed.PostID]string
	userNames map[feed.UserID]string
	// cursors has the cursors of all entries seen so far.
	cursors map[cursorKey]string
	// sessions and sessionNames are the live sessions by name and by id.
	sessions     map[string]live.ID
	sessionNames map[live.ID]string
}

// cursorKey is an entry of a list that a viewer has seen.
type cursorKey struct {
	viewer feed.UserID
	list   string
	entry  string
}

func newScript(ctx context.Context, s *Service, r Reader) *script {
	return &script{
		ctx:       ctx,
		Service:   s,
		reader:    r,
		users:     map[string]feed.UserID{},
		posts:     map[string]feed.PostID{},
		names:     map[feed.PostID]string{},
		userNames: map[feed.UserID]string{},
		cursors:   map[cursorKey]string{},

		sessions:     map[string]live.ID{},
		sessionNames: map[live.ID]string{},
	}
}

// command reads a line of a script, and returns what it does.
type command = func(l *line) (run func() error)

// command runs one line.
func (c *script) command(l *line) error {
	verb := l.word("a command")
	if verb == "in" {
		return c.inModes(l)
	}
	if verb == "expect" && l.flag("error") {
		return c.expectError(l)
	}
	read, known := c.commands()[verb]
	if !known && c.Live != nil {
		read, known = c.liveCommands()[verb]
	}
	if !known {
		return fmt.Errorf("there is no command %q", verb)
	}
	run := read(l)
	if err := l.done(); err != nil {
		return err
	}
	return run()
}

// inModes runs a command in some modes only.
func (c *script) inModes(l *line) error {
	here := false
	for _, mode := range strings.Split(l.word("a mode"), ",") {
		if !slices.Contains(modes(), feed.FanoutMode(mode)) {
			return fmt.Errorf("%q is not a mode", mode)
		}
		here = here || mode == string(c.Policy.Fanout)
	}
	if !here {
		return nil
	}
	return c.command(l)
}

// commands returns the commands by their first words.
func (c *script) commands() map[string]command {
	users := func(do func(a, b feed.UserID) error) command {
		return func(l *line) func() error {
			a, b := c.user(l), c.user(l)
			return func() error { return do(a, b) }
		}
	}
	relate := func(kind feed.RelationKind, on bool) command {
		return users(func(a, b feed.UserID) error {
			return c.SetRelation(c.ctx, feed.RelationRecord{Kind: kind, User: a, Target: b, CreatedAt: c.Clock.Millis()}, on)
		})
	}
	post := func(link string, kind func(*publish.Draft, feed.PostID)) command {
		return func(l *line) func() error { return c.publish(l, link, kind) }
	}
	onPost := func(do func(user feed.UserID, post feed.PostID) error) command {
		return func(l *line) func() error {
			user, id := c.user(l), c.existingPost(l)
			return func() error { return do(user, id) }
		}
	}
	react := func(r feed.Reaction, on bool) command {
		return onPost(func(user feed.UserID, id feed.PostID) error {
			return errorOf(c.Publisher.React(c.ctx, user, r, id, on))
		})
	}
	absent := func(is bool) command {
		return func(l *line) func() error {
			user := c.user(l)
			return func() error { return c.Presence.SetAbsent(c.ctx, []feed.UserID{user}, is) }
		}
	}
	return map[string]command{
		"follow":     users(func(a, b feed.UserID) error { return errorOf(c.Follower.Follow(c.ctx, a, b)) }),
		"unfollow":   users(func(a, b feed.UserID) error { return errorOf(c.Follower.Unfollow(c.ctx, a, b)) }),
		"mute":       relate(feed.RelationMute, true),
		"unmute":     relate(feed.RelationMute, false),
		"hide":       relate(feed.RelationHide, true),
		"unhide":     relate(feed.RelationHide, false),
		"block":      relate(feed.RelationBlock, true),
		"unblock":    relate(feed.RelationBlock, false),
		"post":       post("", func(*publish.Draft, feed.PostID) {}),
		"comment":    post("on", func(d *publish.Draft, target feed.PostID) { d.ReplyTo = target }),
		"repost":     post("of", func(d *publish.Draft, target feed.PostID) { d.RepostOf = target }),
		"import":     c.importPost,
		"edit":       c.edit,
		"delete":     onPost(func(author feed.UserID, id feed.PostID) error { return c.Publisher.Delete(c.ctx, author, id) }),
		"like":       react(feed.ReactionLike, true),
		"unlike":     react(feed.ReactionLike, false),
		"favorite":   react(feed.ReactionFavorite, true),
		"unfavorite": react(feed.ReactionFavorite, false),
		"absent":     absent(true),
		"present":    absent(false),
		"work":       c.work,
		"lose":       func(*line) func() error { return func() error { c.Queue.Lose(); return nil } },
		"sweep":      c.sweep,
		"down":       func(l *line) func() error { return c.outage(l, true) },
		"up":         func(l *line) func() error { return c.outage(l, false) },
		"forget":     c.forget,
		"maintain":   func(*line) func() error { return c.maintain },
		"read":       c.read,
		"scroll":     c.scroll,
		"expect":     c.expect,
	}
}
